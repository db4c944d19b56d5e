import { EVENT } from '../../../../src/mirror/evm/log-topics.ts';
import type { ContractLog } from '../../../../src/mirror/ledger/facets/contract-logs.ts';
import type { ContractResult } from '../../../../src/mirror/ledger/facets/contract-results.ts';
import { fixtureTransaction, fixtureUnit } from '../../../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerTransaction, LedgerUnit } from '../../../../src/mirror/ledger/rows.ts';
import { RESULT } from '../../../../src/mirror/vocabulary/response-codes.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../../../src/values/entity-id.ts';
import * as fc from '../../../support/properties.ts';
import { aContractResult } from '../ledger-rows.ts';

/** What one transaction did; times of a ledger are all different. */
export interface ContractEvent {
  readonly transaction: LedgerTransaction;
  readonly result: ContractResult | null;
  readonly logs: readonly ContractLog[];
}

/** The transactions of one block; it spans the times from its first to its last one. */
export interface ContractBlock {
  readonly number: bigint;
  readonly unit: LedgerUnit;
  readonly events: readonly ContractEvent[];
}

export const START = 1_700_000_000_000_000_000n;
/** Times are multiples of it after {@link START}. */
export const TICK = 300_000_000n;
/** Above the ticks of every ledger. */
export const LAST_TICK = 100n;

/** Few values of each kind, so that random filters meet random rows. */
export const CONTRACTS: readonly bigint[] = [2001n, 2002n, 2003n];
export const SENDERS: readonly bigint[] = [1001n, 1002n];
/** Entities that have an address, which paths and filters may name. */
export const ADDRESSES: ReadonlyMap<bigint, Uint8Array> = new Map([
  [2002n, Buffer.alloc(20, 0xc2)],
  [1002n, Buffer.alloc(20, 0xa2)],
]);

const ONE = Uint8Array.of(1);
const SAME_TAIL = Buffer.concat([Uint8Array.of(9), Buffer.alloc(23), Buffer.alloc(7), ONE]);
const EVERY_SERIAL = Buffer.alloc(8, 0xff);
/** Equal numbers with and without leading zeros, and different ones that end alike. */
export const TOPICS: readonly Uint8Array[] = [
  EVENT.transfer,
  EVENT.approval,
  new Uint8Array(),
  Buffer.alloc(32),
  ONE,
  Buffer.concat([Buffer.alloc(31), ONE]),
  SAME_TAIL,
  EVERY_SERIAL,
];

const contract = fc.constantFrom(...CONTRACTS).map(entityId);
const anyResult = fc.record({
  contract: fc.constantFrom(0n, ...CONTRACTS).map(entityId),
  sender: fc.constantFrom(null, ...SENDERS).map((sender) => (sender === null ? null : entityId(sender))),
  nonce: fc.constantFrom(0, 0, 1),
  result: fc.constantFrom<number>(
    RESULT.SUCCESS,
    RESULT.SUCCESS,
    RESULT.CONTRACT_REVERT_EXECUTED,
    RESULT.WRONG_NONCE,
    RESULT.DUPLICATE_TRANSACTION,
  ),
  isPlaced: fc.constantFrom(true, true, true, false),
  hasOwnHash: fc.boolean(),
});
const anyLog = fc.record({
  contract,
  rootContract: fc.option(contract),
  topics: fc.array(fc.option(fc.constantFrom(...TOPICS)), { maxLength: 4 }),
});
const anyTokenEvent = fc.record({
  contract,
  rootContract: fc.option(contract),
  topics: fc.oneof(
    fc.array(fc.constantFrom(...TOPICS), { maxLength: 4 }),
    fc.constant([EVENT.transfer, ONE, ONE, EVERY_SERIAL]),
  ),
});
const anyEvent = fc.record({
  gap: fc.bigInt({ min: 1n, max: 3n }),
  isFirstOfBlock: fc.constantFrom(true, false, false),
  /** Of a transaction that came twice. */
  isRepeated: fc.constantFrom(true, false, false, false, false),
  result: fc.option(anyResult, { freq: 3 }),
  logs: fc.array(anyLog, { maxLength: 3 }),
  tokenEvents: fc.array(anyTokenEvent, { maxLength: 3 }),
});
/** What is drawn of a transaction. */
export type RandomEvent = typeof anyEvent extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Ledgers of up to 30 transactions. */
export const randomContractLedger: fc.Arbitrary<readonly RandomEvent[]> = fc.array(anyEvent, {
  minLength: 1,
  maxLength: 30,
});

/** The blocks of a drawn ledger, from number 0. */
export function contractBlocks(drawn: readonly RandomEvent[]): readonly ContractBlock[] {
  const blocks: ContractEvent[][] = [];
  let [tick, hash] = [0n, hashOf(0)];
  for (const [index, each] of drawn.entries()) {
    const last = blocks.at(-1);
    const block = last === undefined || each.isFirstOfBlock ? [] : last;
    if (block !== last) blocks.push(block);
    tick += each.gap;
    if (!each.isRepeated) hash = hashOf(index);
    block.push(eventOf(each, START + tick * TICK, hash, block.length));
  }
  return blocks.map((events, index) => blockOf(BigInt(index), events));
}

function eventOf(
  { logs, result, tokenEvents }: RandomEvent,
  time: bigint,
  hash: Uint8Array,
  place: number,
): ContractEvent {
  const at = { consensusTimestamp: consensusTimestamp(time), payer: entityId(1001n) };
  const shared = { ...at, transactionIndex: place, hash: hash.subarray(0, 32), bloom: null, data: null };
  return {
    transaction: fixtureTransaction({ ...at, hash }),
    result: result === null ? null : resultOf(result, at, hash, place),
    logs: [
      ...logs.map((log) => ({ ...log, isSynthetic: false })),
      ...tokenEvents.map((log) => ({ ...log, isSynthetic: true })),
    ].map((log, index) => ({ ...shared, ...log, index })),
  };
}

function resultOf(
  { contract, hasOwnHash, isPlaced, nonce, result, sender }: NonNullable<RandomEvent['result']>,
  at: Pick<ContractResult, 'consensusTimestamp' | 'payer'>,
  hash: Uint8Array,
  place: number,
): ContractResult {
  return aContractResult(at.consensusTimestamp, {
    ...{ contract, nonce, payer: at.payer, result, sender },
    transactionIndex: isPlaced ? place : null,
    hash: hasOwnHash ? ethereumHashOf(hash) : hash.subarray(0, 32),
    amount: 5n,
    gasLimit: 7n,
    gasUsed: 3n,
  });
}

/** 48 bytes. */
function hashOf(index: number): Uint8Array {
  return Buffer.alloc(48, index + 1);
}

/** Of an Ethereum transaction that was sent in a transaction with another hash. */
function ethereumHashOf(hash: Uint8Array): Uint8Array {
  return Buffer.alloc(32, 0x80 | (hash[0] ?? 0));
}

function blockOf(number: bigint, events: readonly ContractEvent[]): ContractBlock {
  const unit = fixtureUnit(`block ${number}`, {
    transactions: events.map(({ transaction }) => transaction),
    contractResults: events.flatMap(({ result }) => result ?? []),
    contractLogs: events.flatMap(({ logs }) => logs),
    entities:
      number > 0n ? [] : [...ADDRESSES].map(([id, evmAddress]) => addressedEntity(entityId(id), evmAddress)),
  });
  return {
    number,
    unit: { ...unit, header: { ...unit.header, kind: 'record', blockNumber: number } },
    events,
  };
}

function addressedEntity(entity: EntityId, evmAddress: Uint8Array): LedgerUnit['entities'][number] {
  const type = CONTRACTS.includes(entity) ? 'CONTRACT' : 'ACCOUNT';
  return { entity, type, alias: null, evmAddress, createdTimestamp: consensusTimestamp(START) };
}
