import type { ParameterValues } from './check-parameters.ts';

/** Where the next page begins. */
export interface Cursor {
  /** The parameter by which the list is ordered. */
  readonly parameter: string;
  readonly order: 'asc' | 'desc';
  /** The printed value of the last item. */
  readonly value: string;
  /** Whether the next page may hold items with the same value; absent: it does not. */
  readonly isInclusive?: boolean;
}

/** Parameters whose values are echoed in lower case. */
const LOWERED: ReadonlySet<string> = new Set(['order', 'result']);

/**
 * Rewrites a query so that it continues after the cursor: conditions of the same direction are replaced,
 * everything else stays as sent, decoded and in the order of first appearance.
 *
 * @example
 * // ?order=desc&timestamp=lte:9.0&limit=1 → ?order=desc&limit=1&timestamp=lt:5.000000000
 * @see contracts/mirror-transactions.md section 5
 */
export function nextLink(path: string, values: ParameterValues, ...cursors: readonly Cursor[]): string {
  const parts: string[] = [];
  for (const [name, list] of cursors.reduce(continueAfter, values)) {
    for (const value of list) parts.push(`${name}=${LOWERED.has(name) ? value.toLowerCase() : value}`);
  }
  return `${path}?${parts.join('&')}`;
}

/** The values of the next request, names in its order. */
function continueAfter(values: ParameterValues, cursor: Cursor): ParameterValues {
  const replaced = cursor.order === 'asc' ? /(?:^|:)gte?:/ : /(?:^|:)lte?:/;
  const direction = cursor.order === 'asc' ? 'gt' : 'lt';
  const bound = `${direction}${cursor.isInclusive === true ? 'e' : ''}:${cursor.value}`;
  const continued = new Map(values);
  const list = values.get(cursor.parameter) ?? [];
  const kept = list.filter((value) => !replaced.test(value));
  // A single value that is replaced moves to the end with the cursor.
  if (list.length === 1 && kept.length === 0) continued.delete(cursor.parameter);
  continued.set(cursor.parameter, [...kept, bound]);
  return continued;
}
