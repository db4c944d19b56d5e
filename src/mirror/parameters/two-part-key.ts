import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest } from '../errors.ts';
import type { ParameterValues } from './check-parameters.ts';
import { type Filter, type FilterOperator, parseFilter } from './filter-operator.ts';

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
  /** Whether one secondary value may be asked for beside one primary value alone. Default false. */
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

/** What a request asks of both parts. */
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
 * @param others rules of further parameters, which are told in the order of the query too.
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
export function partConditions(part: KeyPart, texts: readonly string[]): Promise<PartConditions> {
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
