import type { StatusChanges } from './edits/settle-change.ts';
import type { Page, PageState } from './model.ts';

/** The page row and the URL that it was last configured with. */
export interface StoredPage {
  readonly page: Page;
  readonly configuredUrl: string;
}

/** The decision about a change: what is written (null: nothing) and what the caller gets. */
export interface Decision<T> {
  readonly changes: StatusChanges | null;
  readonly result: T;
}

/**
 * Keeps the page, its components and incidents.
 *
 * A change is decided inside its own transaction on the state that it replaces, so two processes never
 * overwrite each other and a refused change leaves no trace. Decisions are synchronous and may be run
 * again by a backend that retries.
 *
 * @see contracts/status.md section 8
 */
export interface StatusRepository {
  /**
   * Reads the stored page, writes what `decide` makes of it (null: leave it) and answers the result.
   *
   * Called at start, also by several processes at once.
   */
  openPage(decide: (stored: StoredPage | null) => StoredPage | null): Promise<void>;
  /**
   * Changes the page. The state holds all components, all open incidents and, when it exists, the named one.
   *
   * @param incidentId the incident that the change is about, or null.
   */
  change<T>(incidentId: string | null, decide: (state: PageState) => Decision<T>): Promise<T>;
  /** The state as {@link change} would see it. */
  read(incidentId: string | null): Promise<PageState>;
  /** All components, all open incidents and the 50 newest of each kind. */
  readPublished(): Promise<PageState>;
  /** The page's number of commits: one small read that notices what other processes wrote. */
  revision(): Promise<number>;
}

/** How many entries of a kind the public lists hold. @see contracts/status.md section 2 */
export const LISTED_INCIDENTS = 50;
