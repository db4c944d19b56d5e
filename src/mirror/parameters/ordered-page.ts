import type { ParameterValues } from './check-parameters.ts';
import { type Cursor, nextLink } from './next-link.ts';
import type { KeyPart, PartConditions } from './ordered-keys.ts';
import { keyRange } from './ordered-range.ts';
import type { Cut, CutPage } from './page-parameters.ts';
import { requestPath } from './query-text.ts';

interface OrderedPageParts<Item> extends Cut {
  /** In order; one more than the limit where that many are there. */
  readonly found: readonly Item[];
  readonly parts: readonly KeyPart[];
  readonly conditions: readonly PartConditions[];
  /** The first parts of the key of an item that tell where it stands: no further one comes after them. */
  readonly cursorOf: (item: Item) => readonly bigint[];
}

/**
 * Cuts a page of a list with ordered keys, and tells where the next one begins.
 *
 * `spec` knows whether a row follows; `hiero` goes on after every full page. Neither goes on when the conditions leave
 * nothing after the last item. Bounds of the direction of the list are replaced, those of parts that the cursor does
 * not have are dropped.
 *
 * The last part that is not given is exclusive and those before it inclusive: the reference makes every part exclusive
 * that stands before a given one, and loses rows where a third one tells them apart.
 *
 * @see contracts/mirror-entities.md section 1.4, cursor, and section 1.5, link
 */
export function orderedPage<Item>(given: OrderedPageParts<Item>): CutPage<Item> {
  const { conditions, cursorOf, found, page, parts, request, target, values } = given;
  const { limit, order } = request;
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const mayFollow = page.dialect === 'spec' ? found.length > shown.length : shown.length === limit;
  if (last === undefined || !mayFollow) return { shown, next: null };
  const key = cursorOf(last);
  const exclusive = conditions.findLastIndex(({ equal }, index) => equal === null && index < key.length);
  if (exclusive === -1) return { shown, next: null };
  const side = order === 'asc' ? 'lower' : 'upper';
  const continued = conditions.map((condition, index): PartConditions => {
    const value = index < key.length ? key[index] : undefined;
    if (condition.equal !== null) return condition;
    return { ...condition, [side]: value === undefined ? null : { value, isInclusive: index < exclusive } };
  });
  if (keyRange(continued) === null) return { shown, next: null };
  const cursors: Cursor[] = [];
  for (const [index, { parameter, print }] of parts.entries()) {
    const bound = continued[index]?.equal === null ? continued[index]?.[side] : null;
    if (bound == null) continue;
    cursors.push({ parameter, order, value: print(bound.value), isInclusive: bound.isInclusive });
  }
  const dropped = new Set(parts.slice(key.length).map(({ parameter }) => parameter));
  const kept = withoutDirection(values, dropped, order);
  return { shown, next: nextLink(page.linkBase + requestPath(target), kept, ...cursors) };
}

/** The values without those of some names that bound the direction of a list. */
function withoutDirection(
  values: ParameterValues,
  names: ReadonlySet<string>,
  order: 'asc' | 'desc',
): ParameterValues {
  const direction = order === 'asc' ? /^gte?:/ : /^lte?:/;
  const kept = new Map<string, readonly string[]>();
  for (const [name, list] of values) {
    const left = names.has(name) ? list.filter((value) => !direction.test(value)) : list;
    if (left.length > 0) kept.set(name, left);
  }
  return kept;
}
