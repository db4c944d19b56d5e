import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { AuditEntry, Notice, StatusChanges } from '../model/changes.ts';
import type { Downtime } from '../model/stretches.ts';
import { createSqliteAudit } from './audit.sqlite.ts';
import { createSqliteNotices } from './notices.sqlite.ts';
import { createSqliteRunState } from './run-state.sqlite.ts';
import type { StoredPage } from './status-repository.ts';
import { componentRow, incidentRow, pageRow, updateRow } from './status-rows.ts';
import { type PageToken, preparePageToken, prepareStatusStatements } from './status-statements.sqlite.ts';

/** The answer to a decision about a state that somebody has replaced since; nothing was written. */
export const STALE = 'stale';
const WRITTEN = 'written';
type Outcome = typeof STALE | typeof WRITTEN;

/** Names the state that a decision was made on. */
interface Decided {
  readonly expected: PageToken;
}

export type PageWrites = ReturnType<typeof pageWrites>;

/** What is written of the page, its components and incidents; each is called inside a transaction of its own. */
export function pageWrites(database: SqliteDatabase) {
  const sql = prepareStatusStatements(database);
  const pageToken = preparePageToken(database);
  const run = createSqliteRunState(database);
  const auditLog = createSqliteAudit(database);
  const outbox = createSqliteNotices(database);

  function write(changes: StatusChanges): void {
    sql.updatePage.run(pageRow(changes.page));
    for (const id of changes.deletedIncidentIds) sql.deleteIncident.run(id);
    for (const id of changes.deletedComponentIds) sql.deleteComponent.run(id);
    for (const component of changes.newComponents) sql.insertComponent.run(componentRow(component));
    for (const component of changes.changedComponents) sql.updateComponent.run(componentRow(component));
    for (const event of changes.events) sql.insertEvent.run(event);
    for (const incident of changes.newIncidents) sql.insertIncident.run(incidentRow(incident));
    for (const incident of changes.changedIncidents) {
      sql.updateIncident.run(incidentRow(incident));
      sql.detachAll.run(incident.id);
    }
    for (const { id, componentIds } of [...changes.newIncidents, ...changes.changedIncidents]) {
      for (const componentId of componentIds) sql.attach.run(id, componentId);
    }
    for (const { incidentId, update } of changes.newUpdates)
      sql.insertUpdate.run(updateRow(incidentId, update));
    for (const update of changes.changedUpdates) sql.editUpdate.run(updateRow('', update));
    for (const id of changes.deletedUpdateIds) sql.deleteUpdate.run(id);
  }

  return {
    openPage({ expected, next }: Decided & { readonly next: StoredPage }): Outcome {
      if (pageToken() !== expected) return STALE;
      const row = { ...pageRow(next.page), configured_url: next.configuredUrl };
      (expected === null ? sql.insertPage : sql.reconfigurePage).run(row);
      return WRITTEN;
    },
    change({ audit, changes, expected, notices }: DecidedChange): Outcome {
      if (pageToken() !== expected) return STALE;
      write(changes);
      if (audit !== null) auditLog.write(audit);
      outbox.write(notices);
      return WRITTEN;
    },
    setUp({ changes, expected, fresh, probes }: DecidedSetUp): Outcome {
      if (pageToken() !== expected) return STALE;
      const known = run.parts();
      if (probes.some((probe) => known.has(probe) === fresh.includes(probe))) return STALE;
      for (const probe of fresh) run.insertPart(probe);
      if (changes !== null) write(changes);
      return WRITTEN;
    },
    beginRun({ changes, downtime, expected, now }: DecidedRun): Outcome {
      if (pageToken() !== expected) return STALE;
      if (changes !== null) write(changes);
      if (downtime !== null) run.insertDowntime(downtime);
      run.beat(now);
      return WRITTEN;
    },
    beat: (now: number): void => run.beat(now),
  };
}

interface DecidedChange extends Decided {
  readonly changes: StatusChanges;
  readonly audit: AuditEntry | null;
  readonly notices: readonly Notice[];
}

interface DecidedSetUp extends Decided {
  readonly probes: readonly string[];
  /** Those of them that no start knew before. */
  readonly fresh: readonly string[];
  readonly changes: StatusChanges | null;
}

interface DecidedRun extends Decided {
  readonly now: number;
  readonly changes: StatusChanges | null;
  readonly downtime: Downtime | null;
}
