import { type Html, html } from '../../../pages/html.ts';
import { type QueryPair, readQuery } from '../../parameters/query-text.ts';

/** Condition at which a page of a list begins; null for the first one. */
export function cursorOf(pairs: readonly QueryPair[]): string | null {
  return pairs.findLast(({ name, value }) => name === 'cursor' && value !== '')?.value ?? null;
}

/**
 * Links to the first and the next page of a list.
 *
 * @param next link of the API
 * @param parameter by which the API continues
 */
export function nextPage(
  path: string,
  cursor: string | null,
  next: string | null,
  parameter = 'timestamp',
): Html | null {
  if (next === null && cursor === null) return null;
  const place =
    next === null ? null : (readQuery(next).findLast(({ name }) => name === parameter)?.value ?? '');
  return html`<nav class="pages" aria-label="Pages">${
    cursor === null ? html`<span></span>` : html`<a href="${path}">First page</a>`
  }${
    place === null
      ? html`<span class="muted">End of the list</span>`
      : html`<a rel="next" href="${path}?cursor=${encodeURIComponent(place)}">Next page</a>`
  }</nav>`;
}

/** A condition of a link as part of a query to the API; empty without one. */
export function fromCursor(cursor: string | null, parameter: string): string {
  return cursor === null ? '' : `&${parameter}=${encodeURIComponent(cursor).replaceAll('%3A', ':')}`;
}
