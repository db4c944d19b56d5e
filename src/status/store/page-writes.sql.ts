import { insertText, prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { AuditEntry, Notice, StatusChanges } from '../model/changes.ts';
import type { Stretch } from '../model/page-state.ts';
import { createNotices } from './notices.sql.ts';
import { prepareKeeperCheck } from './page-keeping.sql.ts';
import type { KeeperToken } from './page-keeping.ts';
import { createRunState } from './run-state.sql.ts';
import type { RunStart, StoredPage } from './status-repository.ts';
import { AUDIT, COMPONENT, INCIDENT, OWNED_UPDATE, PAGE, STORED_PAGE, UPDATE } from './status-rows.sql.ts';
import { type PageToken, preparePageToken, prepareStatusStatements } from './status-statements.sql.ts';

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
export function pageWrites(sql: Sql) {
  const statements = prepareStatusStatements(sql);
  const pageToken = preparePageToken(sql, sql.dialect.forUpdate);
  const keeping = prepareKeeperCheck(sql);
  const run = createRunState(sql);
  const auditLog = createAudit(sql);
  const outbox = createNotices(sql);

  function* write(changes: StatusChanges): Work<void> {
    yield* sql.announce('status');
    yield* statements.updatePage.run(PAGE.write(changes.page));
    for (const id of changes.deletedIncidentIds) yield* statements.deleteIncident.run(id);
    for (const id of changes.deletedComponentIds) yield* statements.deleteComponent.run(id);
    for (const component of changes.newComponents)
      yield* statements.insertComponent.run(COMPONENT.write(component));
    for (const component of changes.changedComponents)
      yield* statements.updateComponent.run(COMPONENT.write(component));
    for (const event of changes.events) yield* statements.insertEvent.run(event);
    for (const incident of changes.newIncidents)
      yield* statements.insertIncident.run(INCIDENT.write(incident));
    for (const incident of changes.changedIncidents) {
      yield* statements.updateIncident.run(INCIDENT.write(incident));
      yield* statements.detachAll.run(incident.id);
    }
    for (const { id, componentIds } of [...changes.newIncidents, ...changes.changedIncidents]) {
      for (const componentId of componentIds) yield* statements.attach.run(id, componentId);
    }
    for (const update of changes.newUpdates) yield* statements.insertUpdate.run(OWNED_UPDATE.write(update));
    for (const update of changes.changedUpdates) yield* statements.editUpdate.run(UPDATE.write(update));
    for (const id of changes.deletedUpdateIds) yield* statements.deleteUpdate.run(id);
  }

  return {
    *openPage({ expected, next }: Decided & { readonly next: StoredPage }): Work<Outcome> {
      if ((yield* pageToken()) !== expected) return STALE;
      const statement = expected === null ? statements.insertPage : statements.reconfigurePage;
      // Another replica may have made the page since the look.
      return (yield* statement.run(STORED_PAGE.write(next))).changes === 0 ? STALE : WRITTEN;
    },
    *change({ audit, changes, expected, keeper, notices }: DecidedChange): Work<Outcome> {
      yield* keeping.check(keeper);
      if ((yield* pageToken()) !== expected) return STALE;
      yield* write(changes);
      if (audit !== null) yield* auditLog.write(audit);
      yield* outbox.write(notices);
      return WRITTEN;
    },
    *setUp({ changes, expected, fresh, probes }: DecidedSetUp): Work<Outcome> {
      if ((yield* pageToken()) !== expected) return STALE;
      const known = yield* run.parts();
      if (probes.some((probe) => known.has(probe) === fresh.includes(probe))) return STALE;
      for (const probe of fresh) yield* run.insertPart(probe);
      if (changes !== null) yield* write(changes);
      return WRITTEN;
    },
    *beginRun({ changes, downtime, expected, keeper, lastBeat, now }: DecidedRun): Work<Outcome> {
      yield* keeping.check(keeper);
      if ((yield* pageToken()) !== expected) return STALE;
      // Another server may have begun since.
      if ((yield* run.lastBeat()) !== lastBeat) return STALE;
      if (changes !== null) yield* write(changes);
      if (downtime !== null) yield* run.insertDowntime(downtime);
      yield* run.beat(now);
      return WRITTEN;
    },
    beat: (now: number): Work<void> => run.beat(now),
  };
}

interface DecidedChange extends Decided {
  readonly keeper: KeeperToken | null;
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

interface DecidedRun extends Decided, RunStart {
  readonly keeper: KeeperToken | null;
  readonly lastBeat: number | null;
  readonly now: number;
}

/** What editors did, in SQLite. */
export function createAudit(sql: Sql) {
  const insert = sql.prepare(insertText('status_audit', AUDIT.columns));
  const select = prepareSelect(sql, AUDIT, 'FROM status_audit ORDER BY seq DESC LIMIT ? OFFSET ?');

  return {
    /** Called inside the transaction of the change. */
    *write(entry: AuditEntry): Work<void> {
      yield* insert.run(AUDIT.write(entry));
    },
    /** Calls of editors, newest first. */
    read: async ({ limit, offset }: Stretch): Promise<readonly AuditEntry[]> =>
      sql.read(() => select.all(limit, offset)),
  };
}
