import type { AuditEntry, Notice, StatusChanges } from '../model/changes.ts';
import type { Downtime, Incident, Page } from '../model/page-state.ts';
import type { PageKeeping } from './page-keeping.ts';
import type { createStatusRepository } from './status-repository.sql.ts';

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

/** How the page, its components and incidents are kept. */
export type StatusRepository = ReturnType<typeof createStatusRepository>;

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
