import type { AuditEntry, Notice, SequencedNotice, StatusChanges } from '../model/changes.ts';
import type { Incident, Page, PageState } from '../model/page-state.ts';
import type { Downtime, Range, StatusChangeAt, Stretch } from '../model/stretches.ts';
import type { KeeperToken, PageKeeping } from './page-keeping.ts';

/** The page row and the URL that it was last configured with. */
export interface StoredPage {
  readonly page: Page;
  readonly configuredUrl: string;
}

/** The decision about a change: what is written (null: nothing) and what the caller gets. */
export interface Decision<T> {
  readonly changes: StatusChanges | null;
  readonly result: T;
  /** Null or absent: not to be audited. Written only together with changes. */
  readonly audit?: AuditEntry | null;
  /** What subscribers are to be told, in this order. Default none. */
  readonly notices?: readonly Notice[];
}

/** What is known of the time before a start, UTC milliseconds. */
export interface LastSigns {
  /** Null when no server ever ran on this database. */
  readonly lastBeat: number | null;
  /** Newest event by component. */
  readonly lastEvents: ReadonlyMap<string, number>;
}

/** What a server found when it began to run. */
export interface RunStart {
  readonly changes: StatusChanges | null;
  readonly downtime: Downtime | null;
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
   * @param keeper of a change that only the keeper of the page makes. Default null: anybody.
   * @throws StorageBusyError when another replica keeps the page.
   */
  change<T>(
    incidentId: string | null,
    decide: (state: PageState) => Decision<T>,
    keeper?: KeeperToken | null,
  ): Promise<T>;
  /**
   * Changes the page at a start, like {@link change}.
   *
   * @param probes the parts that this start knows; from now on none of them is new.
   * @param decide gets those that no start knew before.
   */
  setUp(
    probes: readonly string[],
    decide: (state: PageState, newProbes: readonly string[]) => StatusChanges | null,
  ): Promise<void>;
  /**
   * Says that a server keeps the page from now on, and writes what `decide` makes of the time since one last did.
   *
   * @param keeper as of {@link change}.
   */
  beginRun(
    now: number,
    decide: (state: PageState, last: LastSigns) => RunStart,
    keeper?: KeeperToken | null,
  ): Promise<void>;
  /** Says that a server runs now. */
  beat(now: number): Promise<void>;
  /**
   * Changes of public statuses since an instant, by component and time, each component's begun by the one
   * that held then: the source of all uptime.
   */
  readEvents(from: number): Promise<readonly StatusChangeAt[]>;
  /** When the public status of each component last changed, UTC milliseconds. */
  readLastEvents(): Promise<ReadonlyMap<string, number>>;
  /** Ids of the incidents and maintenances with one of these components that touch a range, oldest first. */
  readRelatedIncidents(componentIds: readonly string[], range: Range): Promise<readonly string[]>;
  /** Stretches without a server that touch a range, oldest first. */
  readDowntimes(from: number, to: number): Promise<readonly Downtime[]>;
  /** The page alone: one row. */
  readPage(): Promise<Page>;
  /** Whether there is such a component or group: asked before all else is read for one. */
  hasComponent(id: string): Promise<boolean>;
  /** The same of an incident or maintenance. */
  hasIncident(id: string): Promise<boolean>;
  /** The state as {@link change} would see it. */
  read(incidentId: string | null): Promise<PageState>;
  /** All components, all open incidents and the 50 newest of each kind. */
  readPublished(): Promise<PageState>;
  /**
   * Incidents and maintenances of any status, newest first by creation.
   *
   * @param search keeps those with this text, whatever its case, in name, status, postmortem or an update; empty: all.
   */
  readHistory(search: string, stretch: Stretch): Promise<PageState>;
  /**
   * Incidents that began in a range and maintenances that are over and began in it: the newest of them.
   *
   * @see beganAt
   */
  readPast(range: Range, limit: number): Promise<readonly Incident[]>;
  /** All of them without what was said about them, newest first. */
  readPastEntries(range: Range): Promise<readonly PastEntry[]>;
  /** When the first of them began, UTC milliseconds; null when there is none. */
  readFirstBegan(): Promise<number | null>;
  /** Calls of editors, newest first. */
  readAudit(stretch: Stretch): Promise<readonly AuditEntry[]>;
  /** Notices after a sequence number, oldest first: what was committed and not yet handed on. */
  readNotices(afterSequence: number, limit: number): Promise<readonly SequencedNotice[]>;
  /** The page's number of commits: one small read that notices what other processes wrote. */
  revision(): Promise<number>;
}

/** An incident or maintenance as a line of the history; a list of thousands needs no more. */
export type PastEntry = Pick<
  Incident,
  | 'id'
  | 'kind'
  | 'name'
  | 'status'
  | 'peakImpact'
  | 'impactOverride'
  | 'startedAt'
  | 'resolvedAt'
  | 'scheduledFor'
  | 'scheduledUntil'
>;

/** How many entries of a kind the public lists hold. @see contracts/status.md section 2 */
export const LISTED_INCIDENTS = 50;

/** The repository of what the keeper does by itself: nothing is changed when another replica took over. */
export function repositoryOfKeeper(repository: StatusRepository, keeping: PageKeeping): StatusRepository {
  return {
    ...repository,
    change: (incidentId, decide) => repository.change(incidentId, decide, keeping.token()),
    beginRun: (now, decide) => repository.beginRun(now, decide, keeping.token()),
  };
}
