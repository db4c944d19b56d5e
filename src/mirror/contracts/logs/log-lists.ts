import { Type } from '@sinclair/typebox';
import { parseTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { type Hex, parseHex } from '../../../values/hex.ts';
import { MAX_INT64, MIN_INT64 } from '../../../values/int64.ts';
import type { BlockRepository } from '../../blocks/block-repository.sql.ts';
import { invalidRequest } from '../../errors.ts';
import type { CheckedParameter, Keys } from '../../lists/keys.ts';
import { type ListContext, listOn } from '../../lists/list.ts';
import { yesOrNo } from '../../lists/parameters.ts';
import type { ParameterValues } from '../../parameters/check-parameters.ts';
import { type Filter, operand, parseFilter } from '../../parameters/filter-operator.ts';
import { nextLink } from '../../parameters/next-link.ts';
import { readTwoPartKey, type TwoPartConditions, type TwoPartKey } from '../../parameters/ordered-keys.ts';
import { orderedPage } from '../../parameters/ordered-page.ts';
import type { IntegerRange } from '../../parameters/page-parameters.ts';
import { requestPath } from '../../parameters/query-text.ts';
import { isTimestampCondition } from '../../parameters/timestamp-text.ts';
import { inclusive } from '../../parameters/two-part-scans.ts';
import { wordOfText } from '../../parameters/word-text.ts';
import type { BoundTimes } from '../bound-times.ts';
import type { ContractAddresses } from '../contract-addresses.sql.ts';
import { belowContract, timesSchema } from '../contract-below.ts';
import {
  bytesOfHex,
  type DecodedMembers,
  type DecodeRows,
  type LedgerDecodeRequest,
  shownDecoded,
} from '../decode-rows.ts';
import type { ContractLogRepository } from './contract-log-repository.sql.ts';
import { dataOf, type LogPlace, type StoredLog, topicsOf } from './contract-log-repository.ts';
import { LOG } from './log-document.ts';

export interface LogContext extends ListContext {
  readonly contractLogs: ContractLogRepository;
  readonly blocks: Pick<BlockRepository, 'holding'>;
  readonly contractAddresses: ContractAddresses;
  readonly boundTimes: BoundTimes;
  readonly decode: DecodeRows;
}

interface LogKeys extends LogConditions {
  /** Within those that are asked for; null when there are none. */
  readonly times: IntegerRange | null;
  /** Where the server cut them: all of a page without a link was shown, and the next one begins there. */
  readonly cutAt: bigint | null;
}

const HASH_TEXT = /^(eq:)?(0x)?([\dA-Fa-f]{64}|[\dA-Fa-f]{96})$/;
const HASH = 'transaction.hash';
const HASH_PARAMETER: CheckedParameter = {
  parameter: HASH,
  schema: Type.Optional(Type.String({ pattern: '^(eq:)?(0x)?([0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$' })),
  check: (text) => HASH_TEXT.test(text),
};

/** @param read the times of the conditions, as far as they are searched for one page */
function logKeys(
  parts: readonly CheckedParameter[],
  read: (
    conditions: LogConditions,
    values: ParameterValues,
    order: 'asc' | 'desc',
  ) => Promise<Pick<LogKeys, 'cutAt' | 'times'>>,
): Keys<StoredLog, LogKeys, unknown> {
  return {
    parts,
    async read(values, { order }) {
      const conditions = await readLogConditions(values);
      return { ...conditions, ...(await read(conditions, values, order)) };
    },
    page(found, { cutAt, places }, cut) {
      const { page, request, target, values } = cut;
      const cutPage = orderedPage({
        ...cut,
        found,
        parts: [LOG_KEY.primary, LOG_KEY.secondary],
        conditions: [places.primary, places.secondary],
        cursorOf: ({ consensusTimestamp, index }) => [consensusTimestamp, index],
      });
      if (cutPage.next !== null || cutAt === null) return cutPage;
      const { order } = request;
      const link = { parameter: 'timestamp', order, value: printTimestamp(cutAt) };
      const following = withoutPassedIndex(values, order);
      return { ...cutPage, next: nextLink(page.linkBase + requestPath(target), following, link) };
    },
  };
}

/** Behind the time at a bound a bound of the index means nothing, and is refused. */
function withoutPassedIndex(values: ParameterValues, order: 'asc' | 'desc'): ParameterValues {
  const { parameter } = LOG_KEY.secondary;
  const passed = order === 'asc' ? /^gte?:/ : /^lte?:/;
  const kept = (values.get(parameter) ?? []).filter((text) => !passed.test(text));
  const following = new Map(values);
  if (kept.length > 0) following.set(parameter, kept);
  else following.delete(parameter);
  return following;
}

const decode = yesOrNo(false, 'Whether rows are decoded, using verified contracts.');

async function readLogs(
  contract: bigint | null,
  { places, times, topics }: LogKeys,
  { limit, order }: { readonly limit: number; readonly order: 'asc' | 'desc' },
  { contractLogs }: LogContext,
): Promise<readonly StoredLog[]> {
  const range = times === null ? null : placesOf(places, times);
  return range === null ? [] : contractLogs.page({ contract, ...range, topics, order, limit });
}

async function shownLogs(
  logs: readonly StoredLog[],
  { decode: isDecoded }: { readonly decode: boolean },
  { blocks, contractAddresses, decode }: LogContext,
) {
  const addressOf = await contractAddresses.addressesOf(logs.map((log) => log.contract));
  const blockOf = await blocks.holding(logs.map((log) => log.consensusTimestamp));
  const decoded = isDecoded ? await decodeLogs(logs, addressOf, decode) : [];
  return logs.map((log, index) => ({
    log,
    address: addressOf.get(log.contract) ?? null,
    block: blockOf.get(log.consensusTimestamp) ?? null,
    decoded: decoded[index],
  }));
}

function lengthOfLog({ data }: StoredLog): number {
  return data?.length ?? 0;
}

/** Logs of all contracts. @see contracts/mirror-contracts.md section 6 */
export const logList = listOn<LogContext, LogKeys>()({
  path: '/api/v1/contracts/results/logs',
  summary: 'Logs of all contracts',
  name: 'logs',
  maxAgeSeconds: 10,
  order: ['desc'],
  byName: {},
  keys: ({ boundTimes, contractLogs }) => {
    const keys = logKeys([...LOG_PARAMETERS, HASH_PARAMETER], async (conditions, values, order) => {
      const times = timesOf(conditions);
      if (times === null) return { times, cutAt: null };
      const hash = values.get(HASH)?.[0];
      if (hash !== undefined) {
        const bytes = parseHex(operand(hash)) ?? new Uint8Array();
        const time = await contractLogs.timeOfHash(bytes, times, order);
        return { times: time === null ? null : { lower: time, upper: time }, cutAt: null };
      }
      const window = conditions.places.primary.equal === null ? await boundTimes(times, order) : null;
      return { times: window ?? times, cutAt: window?.cutAt ?? null };
    });
    return {
      ...keys,
      async read(values, request) {
        if ((values.get(HASH)?.length ?? 0) > 1) throw invalidRequest([`Only one ${HASH} filter is allowed`]);
        return keys.read(values, request);
      },
    };
  },
  parameters: { decode },
  rows: ({ keys, ...page }, context) => readLogs(null, keys, page, context),
  lengthOf: lengthOfLog,
  shown: shownLogs,
  item: LOG,
});

/** Logs of a contract. @see contracts/mirror-contracts.md section 6 */
export const contractLogList = listOn<LogContext, LogKeys>()({
  path: '/api/v1/contracts/:contractIdOrAddress/results/logs',
  summary: 'Logs of a contract',
  name: 'logs',
  order: ['desc'],
  byName: {},
  subject: belowContract,
  keys: () => logKeys(LOG_PARAMETERS, async (conditions) => ({ times: timesOf(conditions), cutAt: null })),
  parameters: { decode },
  rows: async ({ keys, subject: contract, ...page }, context) =>
    contract === null || contract === 0n ? [] : readLogs(contract, keys, page, context),
  lengthOf: lengthOfLog,
  shown: shownLogs,
  item: LOG,
});

const NOTHING: Uint8Array = new Uint8Array();

/** What `decode=true` adds to logs: `decoded`, the event with its arguments. */
async function decodeLogs(
  logs: readonly StoredLog[],
  addressOf: ReadonlyMap<bigint, string | null>,
  decode: DecodeRows,
): Promise<readonly DecodedMembers[]> {
  const requests: LedgerDecodeRequest[] = [];
  const places = logs.map((log) => {
    const address = bytesOfHex(addressOf.get(log.contract) ?? null);
    if (address === null) return -1;
    const [data, topics] = [bytesOf(dataOf(log)), topicsOf(log).map(bytesOf)];
    return requests.push({ kind: 'log', address, data, topics }) - 1;
  });
  const decoded = requests.length === 0 ? [] : await decode(requests);
  return places.map((place) => ({ decoded: shownDecoded(decoded[place] ?? null) }));
}

function bytesOf(hex: Hex): Uint8Array {
  return bytesOfHex(hex) ?? NOTHING;
}

const TOPIC = /^(eq:)?(0x)?[\dA-Fa-f]{1,64}$/;
const INDEX = /^((eq|ne|gt|gte|lt|lte):)?\d{1,10}$/;
const TOPIC_NAMES = ['topic0', 'topic1', 'topic2', 'topic3'] as const;
const WIDEST_NANOS = 604_800n * 1_000_000_000n;
const UNBOUND = 'Cannot search topics without a valid timestamp range';

const TopicSchema = Type.Optional(
  Type.Array(Type.String({ pattern: '^(eq:)?(0x)?[0-9A-Fa-f]{1,64}$' }), {
    description:
      'Topic, compared as a number; several are alternatives. Needs a time range of at most 7 days.',
    maxItems: 100,
  }),
);

/** The parameters of both lists. */
const LOG_PARAMETERS: readonly CheckedParameter[] = [
  {
    parameter: 'index',
    schema: Type.Optional(
      Type.Array(Type.String({ description: 'Index in the block with optional operator; requires a time.' })),
    ),
    check: (text) => INDEX.test(text),
  },
  { parameter: 'timestamp', schema: timesSchema(), check: isTimestampCondition },
  ...TOPIC_NAMES.map((parameter) => ({
    parameter,
    schema: TopicSchema,
    check: (text: string) => TOPIC.test(text),
  })),
];

/** Logs are ordered by time and by their place among those of the time. */
const LOG_KEY: TwoPartKey = {
  primary: { parameter: 'timestamp', read: (text) => parseTimestamp(text), print: printTimestamp },
  secondary: { parameter: 'index', read: (text) => BigInt(text), print: String },
  isEqualTogether: true,
};

/** What a request selects of logs. */
interface LogConditions {
  readonly places: TwoPartConditions;
  readonly topics: readonly (ReadonlySet<bigint> | null)[];
}

/**
 * Reads checked values.
 *
 * @throws MirrorApiError 400 with the first violation.
 * @see contracts/mirror-contracts.md section 6
 */
async function readLogConditions(values: ParameterValues): Promise<LogConditions> {
  const topics = TOPIC_NAMES.map((name) => {
    const texts = values.get(name);
    return texts === undefined
      ? null
      : new Set(texts.map((text) => wordOfText(parseFilter(text)?.value ?? '')));
  });
  const times = timeFilters(values.get('timestamp') ?? []);
  if (topics.some((wanted) => wanted !== null)) refuseUnboundSearch(times);
  const asked = new Map(values);
  if (times.length > 0)
    asked.set(
      'timestamp',
      times.map(({ operator, value }) => `${operator}:${value}`),
    );
  return { places: await readTwoPartKey(asked, LOG_KEY), topics };
}

/** The first and the last time that is requested; null when no ledger has such a time. */
function timesOf({ places: { primary } }: LogConditions): IntegerRange | null {
  const lower = primary.equal ?? inclusive(primary.lower, 1n) ?? MIN_INT64;
  const upper = primary.equal ?? inclusive(primary.upper, -1n) ?? MAX_INT64;
  return lower > MAX_INT64 ? null : { lower, upper: upper > MAX_INT64 ? MAX_INT64 : upper };
}

/**
 * The first and the last log that are requested, as pairs of time and index.
 *
 * @param within times of the conditions, no wider than they are
 * @returns null when there can be none
 */
function placesOf(
  { primary, secondary }: TwoPartConditions,
  within: IntegerRange,
): { readonly from: LogPlace; readonly to: LogPlace } | null {
  const first = secondary.equal ?? inclusive(secondary.lower, 1n) ?? 0n;
  const last = secondary.equal ?? inclusive(secondary.upper, -1n) ?? MAX_INT64;
  // A bound of the index works in the time at the bound of the time alone.
  const isFirst = primary.equal !== null || within.lower === primary.lower?.value;
  const isLast = primary.equal !== null || within.upper === primary.upper?.value;
  const from = { consensusTimestamp: within.lower, index: isFirst ? first : 0n };
  const to = { consensusTimestamp: within.upper, index: isLast ? last : MAX_INT64 };
  const isEmpty = within.lower > within.upper || (within.lower === within.upper && from.index > to.index);
  return isEmpty ? null : { from, to };
}

/** A lower and an upper bound at one time are that time. */
function timeFilters(texts: readonly string[]): readonly Filter[] {
  const filters = texts.map(parseFilter).filter((filter) => filter !== null);
  const [first, second, ...others] = filters;
  const bounds = new Set([first?.operator, second?.operator]);
  const isOneTime =
    first !== undefined &&
    second !== undefined &&
    others.length === 0 &&
    bounds.has('gte') &&
    bounds.has('lte') &&
    parseTimestamp(first.value) === parseTimestamp(second.value);
  return isOneTime ? [{ operator: 'eq', value: first.value }] : filters;
}

function refuseUnboundSearch(times: readonly Filter[]): void {
  const refuse = (reason: string) => {
    throw invalidRequest([`${UNBOUND}: ${reason}`]);
  };
  const [lower, upper] = [boundOf(times, 'gt', 1n), boundOf(times, 'lt', -1n)];
  const has = (operator: string) => times.some((time) => time.operator === operator);
  if (times.length === 0) refuse('No timestamp range or eq operator provided');
  if (!has('eq') && (lower.length === 0) !== (upper.length === 0)) {
    refuse('Timestamp range must have gt (or gte) and lt (or lte), or eq operator');
  }
  const [from, to] = [lower[0], upper[0]];
  if (!has('eq') && from !== undefined && to !== undefined) {
    const width = to - from + 1n;
    if (width <= 0n || width > WIDEST_NANOS) {
      refuse('Timestamp range by the lower and upper bounds must be positive and within 7d');
    }
  }
  if (has('ne')) refuse('Not equals operator not supported for timestamp param');
  if (lower.length > 1) refuse('Multiple gt or gte operators not permitted for timestamp param');
  if (upper.length > 1) refuse('Multiple lt or lte operators not permitted for timestamp param');
  if (has('eq') && times.some(({ operator }) => operator !== 'eq')) {
    refuse('Cannot combine eq with ne, gt, gte, lt, or lte for timestamp param');
  }
}

/** Inclusive bounds in one direction. */
function boundOf(times: readonly Filter[], exclusive: 'gt' | 'lt', step: bigint): readonly bigint[] {
  return times.flatMap(({ operator, value }) => {
    const time = parseTimestamp(value) ?? 0n;
    if (operator === exclusive) return [time + step];
    return operator === `${exclusive}e` ? [time] : [];
  });
}
