import type { Html } from '../../pages/html.ts';
import type { Page } from '../model/page-state.ts';
import type { PageLook } from './page-look.ts';
import { createPageTime } from './page-time.ts';

/** How the pages of one listener link to each other. */
export interface PageSite {
  /** Path of the status page without a slash at the end; empty for the root. */
  readonly base: string;
  /** Path below which `/api/v2` lies; empty for the root. */
  readonly root: string;
  /** Of the server. */
  readonly version: string;
  /** Default: as it comes. */
  readonly look?: PageLook;
  /** Links to the other parts of the server; absent where the page stands alone. */
  readonly siteLinks?: Html;
}

/** What all pages show around their content. */
export type PageFrame = ReturnType<typeof pageFrame>;

/** The frame of a page at an instant, UTC milliseconds. */
export function pageFrame(site: PageSite, page: Page, now: number) {
  return { site, page, time: createPageTime(page.timeZone), now };
}
