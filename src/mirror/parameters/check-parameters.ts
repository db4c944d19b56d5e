import { invalidRequest, messages } from '../errors.ts';
import type { QueryPair } from './query-text.ts';

/** Accepts or refuses one value of a parameter. */
export type ValueCheck = (value: string) => boolean;

/** The accepted parameters of a route, by lower-case name. */
type ParameterChecks = Readonly<Record<string, ValueCheck>>;

/** Values per parameter, in the order of the request. */
export type ParameterValues = ReadonlyMap<string, readonly string[]>;

/** Unless MIRROR_MAX_REPEATED_QUERY_PARAMETERS says otherwise. */
const DEFAULT_MAX_REPEATED = 100;

/** How faults are told: by what is wrong, counts and invalid values before unknown names, or as the query names them. */
export type FaultOrder = 'kind' | 'query';

/**
 * Checks a query against the parameters of a route.
 *
 * @returns the values by name, names in the order of their first appearance.
 * @throws MirrorApiError 400 with one message per fault.
 * @see contracts/mirror-transactions.md section 3, order of error messages; contracts/mirror-entities.md section 1
 */
export function checkParameters(
  pairs: readonly QueryPair[],
  checks: ParameterChecks,
  maxRepeated: number = DEFAULT_MAX_REPEATED,
  order: FaultOrder = 'kind',
): ParameterValues {
  const values = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else list.push(value);
  }
  const faults = findFaults(pairs, values, checks, maxRepeated, order);
  if (faults.length > 0) throw invalidRequest(faults);
  return values;
}

/** Texts in the order of the contract; the usual query has none and allocates nothing. */
function findFaults(
  pairs: readonly QueryPair[],
  values: ParameterValues,
  checks: ParameterChecks,
  maxRepeated: number,
  order: FaultOrder,
): readonly string[] {
  const isFine = ({ isNested, name, value }: QueryPair): boolean =>
    !isNested && Object.hasOwn(checks, name) && checks[name]?.(value) === true;
  if (pairs.length <= maxRepeated && pairs.every(isFine)) return [];
  const counts: string[] = [];
  const invalid: string[] = [];
  const unknown: string[] = [];
  for (const [name, { length }] of values) {
    if (length > maxRepeated) counts.push(messages.tooManyValues(name, length, maxRepeated));
    else if (!Object.hasOwn(checks, name)) {
      const faults: string[] = Array(length).fill(messages.unknownParameter(name));
      (order === 'query' ? invalid : unknown).push(...faults);
    } else {
      for (const pair of pairs) {
        if (pair.name === name && !isFine(pair)) invalid.push(messages.invalidParameter(name));
      }
    }
  }
  return [...counts, ...invalid, ...unknown];
}
