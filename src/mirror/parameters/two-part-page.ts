import type { ParameterValues } from './check-parameters.ts';
import { type Cursor, nextLink } from './next-link.ts';
import type { PageRequest, PageSettings } from './page-parameters.ts';
import { requestPath } from './query-text.ts';
import type { PartConditions, TwoPartConditions, TwoPartKey } from './two-part-key.ts';
import { pairScans } from './two-part-scans.ts';

/** The values by which an item stands where it does. */
export interface PairOf {
  readonly primary: bigint;
  readonly secondary: bigint;
}

interface TwoPartPageParts<Item> {
  /** In order; one more than the limit where that many are there. */
  readonly found: readonly Item[];
  readonly request: PageRequest;
  readonly page: PageSettings;
  /** The request target. */
  readonly target: string;
  readonly values: ParameterValues;
  readonly key: TwoPartKey;
  readonly conditions: TwoPartConditions;
  readonly of: (item: Item) => PairOf;
}

/**
 * Cuts a page of a list with a two-part key, and tells where the next one begins.
 *
 * `spec` knows whether a row follows; `hiero` goes on after every full page. Neither goes on when the conditions leave
 * nothing after the last item.
 *
 * @see contracts/mirror-entities.md section 1.4, cursor
 */
export function twoPartPage<Item>(parts: TwoPartPageParts<Item>): {
  readonly shown: readonly Item[];
  readonly next: string | null;
} {
  const { conditions, found, key, page, request, target, values } = parts;
  const { limit, order } = request;
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const mayFollow = page.dialect === 'spec' ? found.length > shown.length : shown.length === limit;
  if (last === undefined || !mayFollow) return { shown, next: null };
  const pair = parts.of(last);
  const rest = afterPair(conditions, pair, order);
  if (rest === null || pairScans(rest, order).length === 0) return { shown, next: null };
  const cursors: Cursor[] = [];
  if (conditions.primary.equal === null) {
    const { parameter, print } = key.primary;
    // Of one secondary value each primary one has a single row.
    const isInclusive = conditions.secondary.equal === null;
    cursors.push({ parameter, order, value: print(pair.primary), isInclusive });
  }
  if (conditions.secondary.equal === null) {
    const { parameter, print } = key.secondary;
    cursors.push({ parameter, order, value: print(pair.secondary) });
  }
  return { shown, next: nextLink(page.linkBase + requestPath(target), values, ...cursors) };
}

/** What the link asks for; null after the one row that both values name. */
function afterPair(
  { primary, secondary }: TwoPartConditions,
  pair: PairOf,
  order: 'asc' | 'desc',
): TwoPartConditions | null {
  if (primary.equal !== null && secondary.equal !== null) return null;
  const direction = order === 'asc' ? 'lower' : 'upper';
  const after = (part: PartConditions, value: bigint, isInclusive: boolean): PartConditions =>
    part.equal === null ? { ...part, [direction]: { isInclusive, value } } : part;
  return {
    primary: after(primary, pair.primary, secondary.equal === null),
    secondary: after(secondary, pair.secondary, false),
  };
}
