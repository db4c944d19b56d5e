import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest } from '../errors.ts';
import type { ParameterValues } from './check-parameters.ts';
import { type Filter, type FilterOperator, parseFilter } from './filter-operator.ts';

/** A lower and an upper bound, or one value. */
const MAX_VALUES = 2;

/**
 * Reads the conditions on the parts of a key by which a list is ordered.
 *
 * @param values checked one by one.
 * @returns the conditions in the order of the parts.
 * @throws MirrorApiError 400 with the first violation in query order.
 * @see contracts/mirror-entities.md section 1.5
 */
export async function readOrderedKeys(
  values: ParameterValues,
  parts: readonly KeyPart[],
): Promise<readonly PartConditions[]> {
  const names = new Set(parts.map(({ parameter }) => parameter));
  for (const [name, texts] of values) {
    if (!names.has(name)) continue;
    const refusal = refuse(
      name,
      texts.map(parseFilter).filter((filter) => filter !== null),
    );
    if (refusal !== null) throw invalidRequest([refusal]);
  }
  return Promise.all(parts.map((part) => partConditions(part, values.get(part.parameter) ?? [])));
}

function refuse(name: string, filters: readonly Filter[]): string | null {
  const count = (...operators: readonly string[]) =>
    filters.filter(({ operator }) => operators.includes(operator)).length;
  if (count('ne') > 0) return `Unsupported range operator ne for ${name}`;
  if (count('eq') > 1) return `Only one equal (eq) operator is allowed for ${name}`;
  if (count('eq') > 0 && filters.length > 1) return `Can't support both range and equal for ${name}`;
  if (count('gt', 'gte') > 1) return `Only one gt/gte operator is allowed for ${name}`;
  if (count('lt', 'lte') > 1) return `Only one lt/lte operator is allowed for ${name}`;
  return filters.length > MAX_VALUES ? `At most ${MAX_VALUES} values are allowed for ${name}` : null;
}

/** Whether nothing lies between the bounds of a part. */
export function isCrossed({ lower, upper }: PartConditions): boolean {
  if (lower === null || upper === null || lower.value > MAX_INT64) return false;
  const first = lower.isInclusive ? lower.value : lower.value + 1n;
  const last = upper.isInclusive ? upper.value : upper.value - 1n;
  return first > last;
}

/**
 * Whether a key is among those asked for.
 *
 * Parts with one value are filters. On each side the first of the others that has a bound counts; the ones after it
 * count only where the key is at an inclusive bound.
 */
export function meetsKeys(conditions: readonly PartConditions[], key: readonly bigint[]): boolean {
  for (const [index, { equal }] of conditions.entries()) {
    if (equal !== null && key[index] !== equal) return false;
  }
  return meetsSide(conditions, key, 'lower') && meetsSide(conditions, key, 'upper');
}

function meetsSide(
  conditions: readonly PartConditions[],
  key: readonly bigint[],
  side: 'lower' | 'upper',
): boolean {
  for (const [index, condition] of conditions.entries()) {
    const bound = condition[side];
    if (condition.equal !== null || bound === null) continue;
    const value = key[index] ?? 0n;
    if (value !== bound.value) return value > bound.value === (side === 'lower');
    if (!bound.isInclusive) return false;
  }
  return true;
}

/** One of the two parameters by which a list is ordered. */
export interface KeyPart {
  readonly parameter: string;
  /** The number behind a checked value without its operator; null when the ledger has nothing of that name. */
  readonly read: (text: string) => bigint | null | Promise<bigint | null>;
  /** For links. */
  readonly print: (value: bigint) => string;
}

/** A list ordered by a primary value, and by a secondary one where the first is the same. */
export interface TwoPartKey {
  readonly primary: KeyPart;
  readonly secondary: KeyPart;
  /** Whether one secondary value may be requested beside one primary value alone. Default false. */
  readonly isEqualTogether?: boolean;
}

/** A bound as it was sent. */
export interface KeyBound {
  readonly isInclusive: boolean;
  readonly value: bigint;
}

/** The conditions on one part: `equal`, or a lower and an upper bound, or none. */
export interface PartConditions {
  readonly equal: bigint | null;
  readonly lower: KeyBound | null;
  readonly upper: KeyBound | null;
}

/** What a request selects of both parts. */
export interface TwoPartConditions {
  readonly primary: PartConditions;
  readonly secondary: PartConditions;
}

/** Above everything that a ledger stores: nothing equals it, nothing lies above it, everything lies below. */
const NOBODY = MAX_INT64 + 1n;

/** The filters of a part by what they bound; each kind at most once. */
type PartFilters = Readonly<Partial<Record<'equal' | 'lower' | 'upper', Filter>>>;

/** Refuses the filters of one parameter with a text, or accepts them with null. */
export type FilterRule = (filters: readonly Filter[]) => string | null;

/**
 * Reads the conditions on a two-part key.
 *
 * @param values checked one by one.
 * @param others rules of further parameters, which are reported in the order of the query too.
 * @throws MirrorApiError 400 with the first violation: of single values in query order, then of combinations.
 * @see contracts/mirror-entities.md section 1.4
 */
export async function readTwoPartKey(
  values: ParameterValues,
  { isEqualTogether = false, primary, secondary }: TwoPartKey,
  others: Readonly<Record<string, FilterRule>> = {},
): Promise<TwoPartConditions> {
  const rules = {
    ...others,
    [primary.parameter]: onceEach(primary.parameter),
    [secondary.parameter]: onceEach(secondary.parameter),
  };
  for (const [name, texts] of values) {
    const refusal = rules[name]?.(filtersOf(texts)) ?? null;
    if (refusal !== null) throw invalidRequest([refusal]);
  }
  const first = byKind(filtersOf(values.get(primary.parameter) ?? []));
  const second = byKind(filtersOf(values.get(secondary.parameter) ?? []));
  if (isEqualTogether && second.equal !== undefined && first.equal === undefined) {
    throw invalidRequest([`${primary.parameter} must have eq operator`]);
  }
  const refusal = refuseCombination(primary.parameter, first, secondary.parameter, second);
  if (refusal !== null) throw invalidRequest([refusal]);
  return { primary: await resolve(primary, first), secondary: await resolve(secondary, second) };
}

/** The conditions of values that the rules of a part allow: each kind at most once. */
function partConditions(part: KeyPart, texts: readonly string[]): Promise<PartConditions> {
  return resolve(part, byKind(filtersOf(texts)));
}

const REPEATED = { equal: 'equal (eq)', lower: 'gt/gte', upper: 'lt/lte' } as const;

function onceEach(name: string): FilterRule {
  return (filters) => {
    const seen = new Set<string>();
    for (const { operator } of filters) {
      if (operator === 'ne') return `Not equal (ne) operator is not supported for ${name}`;
      const kind = kindOf(operator);
      if (seen.has(kind)) return `Only one ${REPEATED[kind]} operator is allowed for ${name}`;
      seen.add(kind);
    }
    return null;
  };
}

function refuseCombination(
  primary: string,
  first: PartFilters,
  secondary: string,
  second: PartFilters,
): string | null {
  const isBounded = ({ lower, upper }: PartFilters) => lower !== undefined || upper !== undefined;
  for (const [name, filters] of [
    [primary, first],
    [secondary, second],
  ] as const) {
    if (filters.equal !== undefined && isBounded(filters))
      return `Can't support both range and equal for ${name}`;
  }
  const isSecondAsked = second.equal !== undefined || isBounded(second);
  if (first.equal !== undefined || !isSecondAsked) return null;
  if (!isBounded(first)) return `${secondary} without a ${primary} parameter filter`;
  if (second.lower !== undefined && first.lower?.operator !== 'gte')
    return `${primary} must have gte or eq operator`;
  if (second.upper !== undefined && first.upper?.operator !== 'lte')
    return `${primary} must have lte or eq operator`;
  return null;
}

async function resolve({ read }: KeyPart, { equal, lower, upper }: PartFilters): Promise<PartConditions> {
  const bound = async (filter: Filter | undefined): Promise<KeyBound | null> => {
    if (filter === undefined) return null;
    const isInclusive = filter.operator === 'gte' || filter.operator === 'lte';
    return { isInclusive, value: (await read(filter.value)) ?? NOBODY };
  };
  return {
    equal: equal === undefined ? null : ((await read(equal.value)) ?? NOBODY),
    lower: await bound(lower),
    upper: await bound(upper),
  };
}

function byKind(filters: readonly Filter[]): PartFilters {
  return Object.fromEntries(filters.map((filter) => [kindOf(filter.operator), filter]));
}

function kindOf(operator: FilterOperator): 'equal' | 'lower' | 'upper' {
  if (operator === 'gt' || operator === 'gte') return 'lower';
  return operator === 'lt' || operator === 'lte' ? 'upper' : 'equal';
}

function filtersOf(texts: readonly string[]): readonly Filter[] {
  return texts.map(parseFilter).filter((filter) => filter !== null);
}
