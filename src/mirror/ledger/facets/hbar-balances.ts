import { isSuccess } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { dueStatements } from '../fold/due-statements.ts';
import type { FoldState } from '../fold/fold-state.ts';
import type { FoldedRows } from '../fold/folded-rows.ts';
import { int64OrNull } from '../fold/int64-or-null.ts';
import type { Snapshot } from '../fold/ledger-clock.ts';
import type { StateFold } from '../fold/state-fold.ts';
import { stateTable } from '../fold/tables.ts';
import type { BalanceStatement, HbarTransfer, LedgerTransaction } from '../rows.ts';

/** A balance in tinybars, and when it was so; both null while it is unknown. */
interface HbarBalance {
  readonly account: bigint;
  readonly balance: bigint | null;
  readonly at: bigint | null;
}

interface HbarSnapshot {
  readonly account: bigint;
  readonly at: bigint;
  readonly balance: bigint;
}

const HBAR_BALANCE = stateTable<HbarBalance>(
  'entity',
  { account: 'id' },
  { balance: 'balance', at: 'balance_ts' },
);
const HBAR_SNAPSHOT = stateTable<HbarSnapshot>(
  'balance_snapshot',
  { account: 'account_id', at: 'consensus_ts' },
  { balance: 'balance' },
);
/** The new account begins at 0. */
const CREATING_TYPES: ReadonlySet<number> = new Set([TYPE.CONTRACTCREATEINSTANCE, TYPE.CRYPTOCREATEACCOUNT]);

/**
 * Running balances of hbar and their snapshots.
 *
 * A balance is known when the stream began at genesis, when the account was created in it, or when a
 * statement gave it; others stay null, since transfers alone would invent them.
 *
 * @see contracts/mirror-storage.md section 5 rule 4, contracts/mirror-network.md section 7
 */
export const hbarBalances: StateFold = {
  touch({ balances, transactions }, keys) {
    for (const { account } of balances) keys.add(HBAR_BALANCE, account);
    for (const transaction of transactions) {
      const created = createdAccount(transaction);
      if (created !== null) keys.add(HBAR_BALANCE, created);
      for (const { account } of transaction.transfers) keys.add(HBAR_BALANCE, account);
    }
  },

  fold({ added, clock, isJump, snapshots, unit }, state) {
    if (isJump) forget(state);
    const moves = new PendingMoves(state.rows(HBAR_BALANCE), clock.isComplete);
    const declareNext = dueStatements(unit.balances, (statement) => {
      moves.settle();
      declare(statement, state);
    });
    for (const transaction of added) {
      const at = transaction.consensusTimestamp;
      declareNext(at);
      const due = snapshots.before.get(at);
      if (due !== undefined) {
        moves.settle();
        takeSnapshot(due, state);
      }
      const created = createdAccount(transaction);
      if (created !== null) moves.begin(created, at);
      for (const transfer of transaction.transfers) moves.add(transfer, at);
    }
    moves.settle();
    declareNext(null);
    if (snapshots.closing !== null) takeSnapshot(snapshots.closing, state);
  },

  rebuild: { replaced: ['entity', 'balance_snapshot'] },
};

/** Moves of a unit add up before they meet the balance, so that their order within it does not matter. */
class PendingMoves {
  readonly #balances: FoldedRows<HbarBalance>;
  readonly #isComplete: boolean;
  readonly #pending = new Map<bigint, { change: bigint; at: bigint }>();

  constructor(balances: FoldedRows<HbarBalance>, isComplete: boolean) {
    this.#balances = balances;
    this.#isComplete = isComplete;
  }

  begin(account: bigint, at: bigint): void {
    const known = this.#balances.get(account)?.balance ?? null;
    if (known === null) this.#balances.set({ account, balance: 0n, at });
  }

  add({ account, amount, neverHappened }: HbarTransfer, at: bigint): void {
    if (neverHappened === true) return;
    const moved = this.#pending.get(account);
    if (moved === undefined) this.#pending.set(account, { change: amount, at });
    else {
      moved.change += amount;
      moved.at = at;
    }
  }

  settle(): void {
    for (const [account, { at, change }] of this.#pending) {
      const before = this.#balances.get(account)?.balance ?? (this.#isComplete ? 0n : null);
      if (before !== null) this.#balances.set({ account, balance: int64OrNull(before + change), at });
    }
    this.#pending.clear();
  }
}

/** A statement that is older than the last move adds a snapshot alone. */
function declare({ account, balance, timestamp }: BalanceStatement, state: FoldState): void {
  state.rows(HBAR_SNAPSHOT).set({ account, at: timestamp, balance });
  const balances = state.rows(HBAR_BALANCE);
  if ((balances.get(account)?.at ?? -1n) > timestamp) return;
  balances.set({ account, balance, at: timestamp });
}

function takeSnapshot({ at, since }: Snapshot, state: FoldState): void {
  state.change({ name: 'snapshot-balances', values: [at, since] }, HBAR_BALANCE, HBAR_SNAPSHOT);
}

function forget(state: FoldState): void {
  state.change({ name: 'forget-balances', values: [] }, HBAR_BALANCE);
  const forgotten = (row: HbarBalance) => (row.balance === null ? row : { ...row, balance: null, at: null });
  state.rows(HBAR_BALANCE).setAll(forgotten);
}

function createdAccount({ entityId, result, type }: LedgerTransaction): bigint | null {
  return CREATING_TYPES.has(type) && isSuccess(result) ? entityId : null;
}
