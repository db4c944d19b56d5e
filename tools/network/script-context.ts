import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { SYSTEM_ACCOUNT } from '../../src/mirror/vocabulary/system-accounts.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { accountOf, type LedgerEvent, type NetworkIds } from './ledger-item.ts';
import type { NodeSigner } from './node-signer.ts';
import type { RandomSource } from './seeded-random.ts';
import { createTraces, type TraceCall } from './written-traces.ts';

export const { SUCCESS } = RESULT;

/** Entities that the first record file of a written stream sets up, by number. */
export const TOPIC = 2001n;
export const FUNGIBLE_TOKEN = 2002n;
export const NFT_TOKEN = 2003n;
export const CONTRACT = 2004n;
export const REWARD_ACCOUNT = SYSTEM_ACCOUNT.STAKING_REWARD;

/** Numbers that entities made by the stream get; far apart, so that a ledger of any size has no clash. */
const FIRST_USER_ACCOUNT = 1001n;
const USER_ACCOUNTS_BELOW_SETUP = 900;
const FIRST_FURTHER_ACCOUNT = 1_000_000n;
const FIRST_CREATED = {
  account: 3001n,
  furtherAccount: 100_000_000n,
  topic: 200_000_000n,
  token: 300_000_000n,
  schedule: 400_000_000n,
} as const;
const CREATED_ACCOUNTS_BELOW_CONTRACTS = 900n;

const MAX_LOGS = 3;
const BASE_FEE = 84_000;
const MILLISECOND = 1_000_000n;
const SIGNATURE_LENGTH = 64;

/** A token by number, as messages name it. */
export type IdOf = (num: bigint) => MessageObject;

/** The NFTs of the ledger's collection and who has them. */
interface Nfts {
  /** @returns the serial number of a new one. */
  mintFor(owner: bigint): bigint;
  /** Any of them; null before the first was minted. */
  draw(): { readonly serial: bigint; readonly owner: bigint } | null;
  give(serial: bigint, to: bigint): void;
}

/** What the scenes of a ledger draw from. */
export interface ScriptContext {
  readonly random: RandomSource;
  readonly account: IdOf;
  readonly token: IdOf;
  readonly topic: IdOf;
  readonly contract: IdOf;
  readonly schedule: IdOf;
  /** All accounts that act, the most active first. */
  everyUser(): readonly bigint[];
  /** An account, the first ones far more often than the last. */
  user(): bigint;
  /** Another account than this one. */
  other(than: bigint): bigint;
  /** The number of an entity that is new. */
  create(kind: 'account' | 'topic' | 'token' | 'schedule'): bigint;
  readonly nfts: Nfts;
  /** Whether something that happens once in `times` happens now. */
  once(times: number): boolean;
  amount(limit: number): bigint;
  readonly trace: TraceCall;
  /** The contract that is called next. */
  calledContract(): bigint;
  /** How many logs the next call writes. */
  logCount(): number;
  /** A transaction of a user, successful and without transfers but the fee. */
  base(consensus: ConsensusTimestamp, data: MessageObject): LedgerEvent;
  /** A record that belongs to a transaction, `position` nanoseconds from it (negative: before). */
  child(parent: LedgerEvent, position: number, data: MessageObject): LedgerEvent;
}

/** Which contracts calls go to, and how much they log. */
export interface CallHabits {
  /** Numbers; the first far more often than the last. */
  readonly contracts: readonly bigint[];
  readonly logs: number;
}

export interface ContextOptions {
  readonly ids: NetworkIds;
  readonly signers: readonly NodeSigner[];
  readonly random: RandomSource;
  /** What traces of contract calls draw from; null for none. */
  readonly traceRandom: RandomSource | null;
  /** Accounts that act; one in two transactions comes from the square root of them. */
  readonly accounts: number;
  /** Null for calls of {@link CONTRACT} that log up to three times. */
  readonly calls: CallHabits | null;
}

/** Draws from the randomness in the order it is asked, so equal scripts give equal ledgers. */
export function createScriptContext({
  ids,
  signers,
  random,
  traceRandom,
  accounts,
  calls,
}: ContextOptions): ScriptContext {
  const { shard: shardNum, realm: realmNum } = ids;
  const created = { account: 0n, topic: 0n, token: 0n, schedule: 0n };
  /** By serial number, from 1. */
  const nftOwners: bigint[] = [];
  /** Rank r with a probability of about 1/r. */
  const rank = (count: number): number => {
    const uniform = (random.below(2 ** 32) + 0.5) / 2 ** 32;
    return Math.min(count, Math.floor((count + 1) ** uniform)) - 1;
  };
  const user = (): bigint => userOfRank(rank(accounts));
  const account: IdOf = (num) => accountOf(num, ids);
  const contract: IdOf = (contractNum) => ({ shardNum, realmNum, contractNum });
  const context: ScriptContext = {
    random,
    account,
    token: (tokenNum) => ({ shardNum, realmNum, tokenNum }),
    topic: (topicNum) => ({ shardNum, realmNum, topicNum }),
    contract,
    trace: traceRandom === null ? () => null : createTraces(traceRandom, { account, contract }),
    calledContract: () =>
      calls === null ? CONTRACT : (calls.contracts[rank(calls.contracts.length)] ?? CONTRACT),
    logCount: () => calls?.logs ?? random.below(MAX_LOGS + 1),
    schedule: (scheduleNum) => ({ shardNum, realmNum, scheduleNum }),
    everyUser: () => Array.from({ length: accounts }, (_, rank) => userOfRank(rank)),
    user,
    other(than) {
      const found = user();
      return found === than ? userOfRank(than === userOfRank(0) ? 1 : 0) : found;
    },
    create(kind) {
      const index = created[kind]++;
      if (kind !== 'account') return FIRST_CREATED[kind] + index;
      return index < CREATED_ACCOUNTS_BELOW_CONTRACTS
        ? FIRST_CREATED.account + index
        : FIRST_CREATED.furtherAccount + index;
    },
    nfts: {
      mintFor: (owner) => BigInt(nftOwners.push(owner)),
      draw() {
        const index = random.below(Math.max(1, nftOwners.length));
        const owner = nftOwners[index];
        return owner === undefined ? null : { serial: BigInt(index + 1), owner };
      },
      give(serial, to) {
        nftOwners[Number(serial) - 1] = to;
      },
    },
    once: (times) => random.below(times) === 0,
    amount: (limit) => BigInt(1 + random.below(limit)),
    base: (consensus, data) => ({
      consensus,
      validStart: consensusTimestamp(consensus - 2_000n * MILLISECOND - BigInt(random.below(1_000_000))),
      payer: user(),
      node: signers[random.below(signers.length)]?.accountNum ?? 3n,
      fee: BigInt(BASE_FEE + random.below(BASE_FEE)),
      status: SUCCESS,
      signature: random.bytes(SIGNATURE_LENGTH),
      data,
    }),
    child: (parent, position, data) => ({
      consensus: consensusTimestamp(parent.consensus + BigInt(position)),
      ...(position > 0 ? { parent: parent.consensus } : {}),
      validStart: parent.validStart,
      payer: parent.payer,
      nonce: Math.abs(position),
      node: null,
      fee: 0n,
      status: SUCCESS,
      data,
    }),
  };
  return context;
}

function userOfRank(rank: number): bigint {
  return rank < USER_ACCOUNTS_BELOW_SETUP
    ? FIRST_USER_ACCOUNT + BigInt(rank)
    : FIRST_FURTHER_ACCOUNT + BigInt(rank);
}
