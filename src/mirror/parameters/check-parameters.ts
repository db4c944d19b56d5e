import { invalidRequest, messages } from '../errors.ts';
import type { QueryPair } from './query-text.ts';

/** Accepts or refuses one value of a parameter. */
export type ValueCheck = (value: string) => boolean;

/** The accepted parameters of a route, by lower-case name. */
export type ParameterChecks = Readonly<Record<string, ValueCheck>>;

/** Values per parameter, in the order of the request. */
export type ParameterValues = ReadonlyMap<string, readonly string[]>;

/** Unless MIRROR_MAX_REPEATED_QUERY_PARAMETERS says otherwise. */
export const DEFAULT_MAX_REPEATED = 100;

/**
 * Checks a query against the parameters of a route.
 *
 * @returns the values by name, names in the order of their first appearance.
 * @throws MirrorApiError 400 with one message per fault: counts first, then invalid values, then unknown names.
 * @see contracts/mirror-transactions.md section 3, order of error messages
 */
export function checkParameters(
  pairs: readonly QueryPair[],
  checks: ParameterChecks,
  maxRepeated: number = DEFAULT_MAX_REPEATED,
): ParameterValues {
  const values = groupByName(pairs);
  const counts: string[] = [];
  for (const [name, { length }] of values) {
    if (length > maxRepeated) counts.push(messages.tooManyValues(name, length, maxRepeated));
  }
  const invalid: string[] = [];
  const unknown: string[] = [];
  for (const [name, list] of values) {
    if (list.length > maxRepeated) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    for (const { isNested, value } of list) {
      if (check === undefined) unknown.push(messages.unknownParameter(name));
      else if (isNested || !check(value)) invalid.push(messages.invalidParameter(name));
    }
  }
  const faults = [...counts, ...invalid, ...unknown];
  if (faults.length > 0) throw invalidRequest(faults);
  return new Map([...values].map(([name, list]) => [name, list.map(({ value }) => value)]));
}

function groupByName(pairs: readonly QueryPair[]): ReadonlyMap<string, readonly QueryPair[]> {
  const groups = new Map<string, QueryPair[]>();
  for (const pair of pairs) {
    const group = groups.get(pair.name);
    if (group === undefined) groups.set(pair.name, [pair]);
    else group.push(pair);
  }
  return groups;
}
