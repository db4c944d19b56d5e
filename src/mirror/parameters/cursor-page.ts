import { nextLink } from './next-link.ts';
import type { Cut, CutPage, IntegerSelection } from './page-parameters.ts';
import { requestPath } from './query-text.ts';

/** The one value by which a list is ordered and continued. */
export interface PageCursor<Item> {
  readonly parameter: string;
  readonly of: (item: Item) => bigint;
  readonly print: (value: bigint) => string;
}

/** What the conditions on the parameter leave; null without conditions. */
type Selection = Pick<IntegerSelection, 'equal' | 'lower' | 'upper'> | null;

/**
 * Cuts a page of a list with one cursor, and tells where the next one begins.
 *
 * `spec` knows whether a row follows; `hiero` goes on after every full page. Neither goes on when the conditions leave
 * nothing after the last item.
 *
 * @param found in order; one more than the limit where that many are there.
 * @see contracts/mirror-transactions.md section 5, contracts/mirror-entities.md section 1.3
 */
export function cursorPage<Item>(
  { page, request, target, values }: Cut,
  found: readonly Item[],
  cursor: PageCursor<Item>,
  selection: Selection,
): CutPage<Item> {
  const { limit, order } = request;
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const mayFollow = page.dialect === 'spec' ? found.length > shown.length : shown.length === limit;
  if (last === undefined || !mayFollow || !leavesMore(selection, order, cursor.of(last)))
    return { shown, next: null };
  const link = { parameter: cursor.parameter, order, value: cursor.print(cursor.of(last)) };
  return { shown, next: nextLink(page.linkBase + requestPath(target), values, link) };
}

/** Whether the conditions leave any value after the last one. */
function leavesMore(selection: Selection, order: 'asc' | 'desc', last: bigint): boolean {
  if (selection === null) return true;
  const { equal, lower, upper } = selection;
  const isAfter = (value: bigint) => (order === 'asc' ? value > last : value < last);
  if (equal !== null) return [...equal].some((value) => isAfter(value) && lower <= value && value <= upper);
  return order === 'asc' ? last < upper : last > lower;
}
