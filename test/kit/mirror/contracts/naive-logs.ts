import type { ContractLog } from '../../../../src/mirror/ledger/facets/contract-logs.ts';
import { printTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { printEntityId } from '../../../../src/values/entity-id.ts';
import { bareHex, toHex } from '../../../../src/values/hex.ts';
import * as fc from '../../../support/properties.ts';
import { type Condition, meets } from '../conditions.ts';
import { entityText, isOfEverySerial } from './naive-results.ts';
import {
  CONTRACTS,
  type ContractBlock,
  type ContractEvent,
  LAST_TICK,
  START,
  TICK,
  TOPICS,
} from './random-contract-ledger.ts';

/** What a request for logs asks; every combination is allowed. */
export interface LogQuery {
  /** Null for those of all contracts. */
  readonly contract: bigint | null;
  /** Ticks after the start: one `eq`, or a bound in either direction. */
  readonly times: readonly Condition[];
  readonly indexes: readonly Condition[];
  /** Of each position those that a log may have there. */
  readonly topics: readonly (readonly Uint8Array[])[];
  readonly hash: { readonly form: 'whole' | 'first' | 'ethereum'; readonly of: number } | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Whether entities that have an address are named by it. */
  readonly usesAddresses: boolean;
}

/** A row of a list, as far as a scan tells it. */
export type LogFacts = Readonly<Record<string, unknown>>;

const MAX_TOPICS = 4;

const tick = fc.bigInt({ min: 0n, max: LAST_TICK });
const lower = fc.record({ operator: fc.constantFrom<Condition['operator']>('gt', 'gte'), value: tick });
const upper = fc.record({ operator: fc.constantFrom<Condition['operator']>('lt', 'lte'), value: tick });
const anyTimes: fc.Arbitrary<readonly Condition[]> = fc.oneof(
  fc.constant([]),
  fc.tuple(fc.record({ operator: fc.constant<Condition['operator']>('eq'), value: tick })),
  tick.map((value) => [
    { operator: 'gte' as const, value },
    { operator: 'lte' as const, value },
  ]),
  fc.tuple(lower),
  fc.tuple(upper),
  fc.tuple(lower, upper),
  fc.tuple(upper, lower),
);
const drawnQuery = fc.record({
  contract: fc.constantFrom(null, 0n, ...CONTRACTS),
  times: anyTimes,
  indexKind: fc.constantFrom('none', 'none', 'equal', 'bounds'),
  lowestIndex: fc.option(fc.bigInt({ min: 0n, max: 5n })),
  highestIndex: fc.option(fc.bigInt({ min: 0n, max: 5n })),
  isInclusive: fc.boolean(),
  topics: fc.array(fc.array(fc.constantFrom(...TOPICS, Uint8Array.of(5)), { maxLength: 2 }), {
    maxLength: MAX_TOPICS,
  }),
  hash: fc.option(
    fc.record({
      form: fc.constantFrom<'whole' | 'first' | 'ethereum'>('whole', 'first', 'ethereum'),
      of: fc.nat(35),
    }),
    { freq: 1 },
  ),
  order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 5 }),
  usesAddresses: fc.boolean(),
});

/** Left out is what is answered with 400. @see contracts/mirror-contracts.md section 6 */
export const anyLogQuery: fc.Arbitrary<LogQuery> = drawnQuery.map(
  ({ highestIndex, indexKind, isInclusive, lowestIndex, ...query }) => {
    const { contract, hash, times, topics } = query;
    const equal = equalTime(times);
    const has = (operator: Condition['operator']) => times.some((time) => time.operator === operator);
    const indexes: Condition[] = [];
    if (indexKind === 'equal' && equal !== null && lowestIndex !== null) {
      indexes.push({ operator: 'eq', value: lowestIndex });
    }
    if (indexKind === 'bounds') {
      if (lowestIndex !== null && (equal !== null || has('gte'))) {
        indexes.push({ operator: isInclusive ? 'gte' : 'gt', value: lowestIndex });
      }
      if (highestIndex !== null && (equal !== null || has('lte'))) {
        indexes.push({ operator: isInclusive ? 'lte' : 'lt', value: highestIndex });
      }
    }
    const bounds = times.map(({ operator, value }) => ({ operator, value: START + value * TICK }));
    const isSearchable = equal !== null || (bounds.length === 2 && isSomeTime(bounds));
    return { ...query, indexes, topics: isSearchable ? topics : [], hash: contract === null ? hash : null };
  },
);

/** The target of a request. */
export function printLogQuery(query: LogQuery, blocks: readonly ContractBlock[]): string {
  const { contract, hash, indexes, limit, order, times, topics, usesAddresses } = query;
  const parts = [
    ...times.map(({ operator, value }) => `timestamp=${operator}:${printTimestamp(START + value * TICK)}`),
    ...indexes.map(({ operator, value }) => `index=${operator}:${value}`),
    ...topics.flatMap((values, position) => values.map((topic) => `topic${position}=${topicText(topic)}`)),
    ...(hash === null ? [] : [`transaction.hash=${bareHex(askedHash(hash, blocks))}`]),
    `order=${order}`,
    `limit=${limit}`,
  ];
  const path = contract === null ? '' : `${entityText(contract, usesAddresses)}/`;
  return `/api/v1/contracts/${path}results/logs?${parts.join('&')}`;
}

/** The rules of contracts/mirror-contracts.md section 6. It is read row by row. */
export function naiveLogs(blocks: readonly ContractBlock[], query: LogQuery): readonly LogFacts[] {
  const { hash, order, times } = query;
  const events = blocks.flatMap((block) => block.events.map((event) => ({ block, event })));
  const inTime = events.filter(({ event }) =>
    times.every(({ operator, value }) =>
      meets(event.transaction.consensusTimestamp, { operator, value: START + value * TICK }),
    ),
  );
  const asked = hash === null ? inTime : firstWithHash(inTime, askedHash(hash, blocks), order);
  const rows = asked.flatMap(({ block, event }) =>
    event.logs.filter((log) => isSelected(log, query)).map((log) => factsOf(log, block)),
  );
  return order === 'asc' ? rows : rows.toReversed();
}

/** The same facts of a row of an answer. */
export function logFacts(row: Readonly<Record<string, unknown>>): LogFacts {
  const { block_hash, block_number, contract_id, index, root_contract_id, timestamp, topics } = row;
  return { block_hash, block_number, contract_id, index, root_contract_id, timestamp, topics };
}

function factsOf(log: ContractLog, { number, unit }: ContractBlock): LogFacts {
  return {
    block_hash: toHex(unit.header.hash),
    block_number: Number(number),
    contract_id: printEntityId(log.contract),
    index: log.index,
    root_contract_id: log.rootContract === null ? null : printEntityId(log.rootContract),
    timestamp: printTimestamp(log.consensusTimestamp),
    topics: log.topics.flatMap((topic) => (topic === null ? [] : [`0x${numberOf(topic)}`])),
  };
}

function isSelected(log: ContractLog, { contract, indexes, times, topics }: LogQuery): boolean {
  if (log.isSynthetic && isOfEverySerial(log.topics)) return false;
  if (contract !== null && contract !== log.contract) return false;
  const hasTopics = topics.every((wanted, position) => {
    const topic = log.topics[position] ?? null;
    if (wanted.length === 0) return true;
    return topic !== null && wanted.some((each) => numberOf(each) === numberOf(topic));
  });
  return hasTopics && indexes.every((condition) => meetsIndex(log, condition, times));
}

/** At one time every condition counts, else a bound counts at the bound of the time alone. */
function meetsIndex(
  { consensusTimestamp: at, index }: ContractLog,
  condition: Condition,
  times: readonly Condition[],
): boolean {
  const isLower = condition.operator === 'gt' || condition.operator === 'gte';
  const bound = times.find(({ operator }) => operator === (isLower ? 'gte' : 'lte'));
  const isAtBound = bound !== undefined && START + bound.value * TICK === at;
  return (equalTime(times) === null && !isAtBound) || meets(BigInt(index), condition);
}

/** The one time that is asked for, `gte` and `lte` of one time too. */
function equalTime(times: readonly Condition[]): bigint | null {
  const [first, second] = times;
  if (first === undefined) return null;
  if (first.operator === 'eq') return first.value;
  const bounds = new Set([first.operator, second?.operator]);
  return bounds.has('gte') && bounds.has('lte') && first.value === second?.value ? first.value : null;
}

function isSomeTime(bounds: readonly Condition[]): boolean {
  const first = bounds.map(({ operator, value }) =>
    operator === 'gt' ? value + 1n : operator === 'gte' ? value : null,
  );
  const last = bounds.map(({ operator, value }) =>
    operator === 'lt' ? value - 1n : operator === 'lte' ? value : null,
  );
  const [from, to] = [first.find((each) => each !== null), last.find((each) => each !== null)];
  return from != null && to != null && from <= to;
}

interface EventInBlock {
  readonly block: ContractBlock;
  readonly event: ContractEvent;
}

/** A transaction by its own hash, else a result by its hash; 48 bytes are that of a transaction. */
function firstWithHash(
  events: readonly EventInBlock[],
  hash: Uint8Array,
  order: 'asc' | 'desc',
): readonly EventInBlock[] {
  const ordered = order === 'asc' ? events : events.toReversed();
  const asked = bareHex(hash);
  const found =
    ordered.find(({ event }) => bareHex(event.transaction.hash ?? new Uint8Array()).startsWith(asked)) ??
    ordered.find(({ event }) => event.result !== null && bareHex(event.result.hash) === asked);
  return found === undefined ? [] : [found];
}

function askedHash(
  { form, of }: NonNullable<LogQuery['hash']>,
  blocks: readonly ContractBlock[],
): Uint8Array {
  const events = blocks.flatMap((block) => block.events);
  const event = events[of % (events.length + 1)];
  const own = event?.transaction.hash ?? Buffer.alloc(48, 0xee);
  if (form === 'whole') return own;
  return form === 'first' ? own.subarray(0, 32) : (event?.result?.hash ?? own.subarray(0, 32));
}

function topicText(topic: Uint8Array): string {
  return topic.length === 0 ? '0x0' : toHex(topic);
}

function numberOf(topic: Uint8Array): string {
  return bareHex(topic).padStart(64, '0');
}
