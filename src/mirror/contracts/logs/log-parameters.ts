import { Type } from '@sinclair/typebox';
import { parseTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { MAX_INT64, MIN_INT64 } from '../../../values/int64.ts';
import { invalidRequest } from '../../errors.ts';
import type { CheckedParameter } from '../../lists/keys.ts';
import type { ParameterValues } from '../../parameters/check-parameters.ts';
import { type Filter, parseFilter } from '../../parameters/filter-operator.ts';
import type { IntegerRange } from '../../parameters/integer-range.ts';
import { isTimestampCondition } from '../../parameters/timestamp-text.ts';
import { readTwoPartKey, type TwoPartConditions, type TwoPartKey } from '../../parameters/two-part-key.ts';
import { inclusive } from '../../parameters/two-part-scans.ts';
import { wordOfText } from '../../parameters/word-text.ts';
import { timesSchema } from '../contract-below.ts';
import type { LogPlace } from './contract-log-repository.ts';

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
export const LOG_PARAMETERS: readonly CheckedParameter[] = [
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
export const LOG_KEY: TwoPartKey = {
  primary: { parameter: 'timestamp', read: (text) => parseTimestamp(text), print: printTimestamp },
  secondary: { parameter: 'index', read: (text) => BigInt(text), print: String },
  isEqualTogether: true,
};

/** What a request asks of logs. */
export interface LogConditions {
  readonly places: TwoPartConditions;
  readonly topics: readonly (ReadonlySet<bigint> | null)[];
}

/**
 * Reads checked values.
 *
 * @throws MirrorApiError 400 with the first violation.
 * @see contracts/mirror-contracts.md section 6
 */
export async function readLogConditions(values: ParameterValues): Promise<LogConditions> {
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

/** The first and the last time that is asked for; null when no ledger has such a time. */
export function timesOf({ places: { primary } }: LogConditions): IntegerRange | null {
  const lower = primary.equal ?? inclusive(primary.lower, 1n) ?? MIN_INT64;
  const upper = primary.equal ?? inclusive(primary.upper, -1n) ?? MAX_INT64;
  return lower > MAX_INT64 ? null : { lower, upper: upper > MAX_INT64 ? MAX_INT64 : upper };
}

/**
 * The first and the last log that are asked for, as pairs of time and index.
 *
 * @param within times of the conditions, no wider than they are
 * @returns null when there can be none
 */
export function placesOf(
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
