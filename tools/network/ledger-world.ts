import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { DrawnPool } from './drawn-pool.ts';
import type { LedgerEvent } from './ledger-item.ts';
import type { ScriptContext } from './script-context.ts';
import type { RandomSource } from './seeded-random.ts';
import type { WorldToken } from './world-token.ts';

/** Makes the transactions of something that happens; none when nobody can do it now. */
export type WorldScene = (world: LedgerWorld, at: ConsensusTimestamp) => readonly LedgerEvent[];

/** An account of the world; nothing but scenes of the world moves what it has. */
export interface Citizen {
  readonly num: bigint;
  /** Automatic associations that are left; −1 for no bound. */
  slots: number;
  stakedNode: boolean;
  /** UTC day of its last reward. */
  rewardedOn: bigint;
}

/** An account that comes and goes: it has hbar alone. */
export interface Visitor {
  readonly num: bigint;
  readonly alias: Uint8Array | null;
  balance: bigint;
}

/** What is left of an approval. */
export interface Approval {
  readonly owner: bigint;
  readonly spender: bigint;
  /** Null for hbar. */
  readonly token: WorldToken | null;
  left: bigint;
}

export interface PendingAirdrop {
  readonly token: WorldToken;
  readonly sender: bigint;
  readonly receiver: bigint;
  /** 0n for units. */
  readonly serial: bigint;
  amount: bigint;
}

export interface WorldTopic {
  readonly num: bigint;
  sequence: bigint;
  runningHash: Uint8Array;
  fee: { readonly amount: bigint; readonly collector: bigint } | null;
}

export interface WorldSchedule {
  readonly num: bigint;
  readonly creation: LedgerEvent;
  readonly body: MessageObject;
  readonly payer: bigint;
  readonly to: bigint;
  readonly amount: bigint;
  readonly id: MessageObject;
}

const MIN_CITIZENS = 8;

/**
 * A ledger that knows what everybody has, so that what happens in it could happen: nobody spends what he has not, and
 * nothing moves that is frozen, paused, deleted or not associated.
 */
export class LedgerWorld {
  readonly context: ScriptContext;
  /** Most citizens. */
  readonly capacity: number;
  readonly citizens = new DrawnPool<Citizen>();
  readonly visitors = new DrawnPool<Visitor>();
  readonly hollows = new DrawnPool<Visitor>();
  /** Aliases of accounts that were deleted. */
  readonly freeAliases = new DrawnPool<Uint8Array>();
  readonly tokens = new DrawnPool<WorldToken>();
  readonly deletedTokens = new DrawnPool<WorldToken>();
  readonly approvals = new DrawnPool<Approval>();
  readonly airdrops = new DrawnPool<PendingAirdrop>();
  readonly topics = new DrawnPool<WorldTopic>();
  readonly schedules = new DrawnPool<WorldSchedule>();
  readonly #approvals = new Map<string, Approval>();
  readonly #airdrops = new Map<string, PendingAirdrop>();

  constructor(context: ScriptContext, capacity: number) {
    this.context = context;
    this.capacity = Math.max(MIN_CITIZENS, capacity);
  }

  get random(): RandomSource {
    return this.context.random;
  }

  citizen(): Citizen | null {
    return this.citizens.draw(this.random);
  }

  otherCitizen(than: bigint): Citizen | null {
    return this.citizens.drawWhere(this.random, ({ num }) => num !== than);
  }

  token(fits: (token: WorldToken) => boolean): WorldToken | null {
    return this.tokens.drawWhere(this.random, fits);
  }

  holder(token: WorldToken, fits: (account: bigint) => boolean): bigint | null {
    return token.holders.drawWhere(this.random, fits);
  }

  key(): MessageObject {
    return this.context.once(3)
      ? { ECDSASecp256k1: Buffer.concat([Buffer.of(2), this.random.bytes(32)]) }
      : { ed25519: this.random.bytes(32) };
  }

  chance(): boolean {
    return this.context.once(2);
  }

  /** A transaction that an account pays. */
  event(
    at: ConsensusTimestamp | bigint,
    payer: bigint,
    data: MessageObject,
    more: Partial<LedgerEvent> = {},
  ): LedgerEvent {
    return { ...this.context.base(consensusTimestamp(at), data), payer, ...more };
  }

  /** Sets what a spender may take; 0n takes the approval away. */
  approve(owner: bigint, spender: bigint, token: WorldToken | null, left: bigint): void {
    const key = `${owner}/${spender}/${token?.num ?? ''}`;
    const known = this.#approvals.get(key);
    if (known !== undefined) known.left = left;
    else if (left > 0n) {
      const approval = { owner, spender, token, left };
      this.#approvals.set(key, approval);
      this.approvals.add(approval);
    }
  }

  /** @returns what is pending afterwards */
  addAirdrop(token: WorldToken, sender: bigint, receiver: bigint, serial: bigint, amount: bigint): bigint {
    const key = `${sender}/${receiver}/${token.num}/${serial}`;
    const known = this.#airdrops.get(key);
    if (known !== undefined) {
      known.amount += amount;
      return known.amount;
    }
    const airdrop = { token, sender, receiver, serial, amount };
    this.#airdrops.set(key, airdrop);
    this.airdrops.add(airdrop);
    return amount;
  }

  endAirdrop(airdrop: PendingAirdrop): void {
    const { receiver, sender, serial, token } = airdrop;
    this.#airdrops.delete(`${sender}/${receiver}/${token.num}/${serial}`);
    this.airdrops.delete(airdrop);
  }
}

/** Entries of a transfer list. */
export function moved(
  { account }: ScriptContext,
  ...amounts: readonly (readonly [account: bigint, amount: bigint])[]
): readonly MessageObject[] {
  return amounts.map(([num, amount]) => ({ accountID: account(num), amount }));
}
