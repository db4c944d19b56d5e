import { type Html, html } from '../../../pages/html.ts';
import type { PageFrame } from '../page-site.ts';

/** Where one stands in a list of several pages. */
interface Paging {
  /** Of the list, below the base. */
  readonly path: string;
  /** From 1. */
  readonly number: number;
  readonly hasNext: boolean;
  /** Words of the links back and on. */
  readonly words: readonly [back: string, on: string];
}

/** Links to the pages before and after; null when this is the only one. */
export function renderPaging({ path, number, hasNext, words }: Paging, { site }: PageFrame): Html | null {
  if (number === 1 && !hasNext) return null;
  const link = (to: number, rel: string, word: string) =>
    html`<a class="target" rel="${rel}" href="${site.base}/${path}?page=${to}">${word}</a>`;
  return html`<nav class="pages" aria-label="Pages">
<span>${number === 1 ? null : link(number - 1, 'prev', words[0])}</span>
<span>${hasNext ? link(number + 1, 'next', words[1]) : null}</span>
</nav>`;
}
