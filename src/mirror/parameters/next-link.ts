import type { ParameterValues } from './check-parameters.ts';

/** Where the next page begins. */
export interface Cursor {
  /** The parameter by which the list is ordered. */
  readonly parameter: string;
  readonly order: 'asc' | 'desc';
  /** The printed value of the last item. */
  readonly value: string;
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
export function nextLink(path: string, values: ParameterValues, cursor: Cursor): string {
  const replaced = cursor.order === 'asc' ? /(?:^|:)gte?:/ : /(?:^|:)lte?:/;
  const bound = `${cursor.order === 'asc' ? 'gt' : 'lt'}:${cursor.value}`;
  const parts: string[] = [];
  let isPlaced = false;
  for (const [name, list] of values) {
    if (name !== cursor.parameter) {
      for (const value of list) parts.push(`${name}=${LOWERED.has(name) ? value.toLowerCase() : value}`);
      continue;
    }
    const kept = list.filter((value) => !replaced.test(value));
    // A single value that is replaced moves to the end with the cursor.
    if (list.length === 1 && kept.length === 0) continue;
    for (const value of [...kept, bound]) parts.push(`${name}=${value}`);
    isPlaced = true;
  }
  if (!isPlaced) parts.push(`${cursor.parameter}=${bound}`);
  return `${path}?${parts.join('&')}`;
}
