import { type Awaitable, andThen } from '../../values/and-then.ts';

/** What a ledger has, as far as its newest page depends on it; equal texts mean equal pages. */
export type LedgerStamp = () => Awaitable<string>;

/** Pages that begin with the newest transaction, kept while the ledger stays as it is. */
export interface NewestPages<Page> {
  /** The kept page of a target; reads and keeps it when it begins with the newest transaction. */
  page(target: string, read: () => Awaitable<Page>): Awaitable<Page>;
}

/** No bound and no filter: such a page changes with the ledger alone. */
const NEWEST = /^[^?]*(?:\?(?:limit=\d{1,3}|order=desc)(?:&(?:limit=\d{1,3}|order=desc))?)?$/;
/** Explorers ask in two or three spellings; each page has some tens of kilobytes. */
const MAX_PAGES = 16;

/**
 * Half of what clients of a list ask for is its newest page.
 *
 * The ledger is asked each time whether it changed, so a kept page is never older than one that was read.
 *
 * @see docs/adr/0012-ready-responses.md
 */
export function createNewestPages<Page>(stamp: LedgerStamp): NewestPages<Page> {
  const kept = new Map<string, { readonly at: string; readonly page: Awaitable<Page> }>();
  return {
    page(target, read) {
      if (!NEWEST.test(target)) return read();
      // Before the page is read: what is committed in between must count as a change.
      return andThen(stamp(), (at) => {
        const known = kept.get(target);
        if (known !== undefined && known.at === at) return known.page;
        const page = read();
        if (known === undefined && kept.size >= MAX_PAGES) kept.clear();
        kept.set(target, { at, page });
        if (page instanceof Promise) page.catch(() => kept.delete(target));
        return page;
      });
    },
  };
}
