import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Input } from '../rules/input-members.ts';
import type { SequencedNotice, Stretch } from '../status-repository.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { Notice } from './notice.ts';

/** Long after the last retry of a delivery. */
const KEEP_NOTICES_MS = 30 * 86_400_000;

interface AuditRow {
  readonly at: number;
  readonly actor: string;
  readonly call: string;
  readonly subject_id: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface NoticeRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly subject_id: string;
  readonly at: number;
  readonly payload: string;
}

/** Audit and notices in SQLite; the tables are those of `migrations/sqlite/0013-status-management.sql`. */
export function createSqliteStatusRecords(database: SqliteDatabase) {
  const insertAudit = database.prepare(
    `INSERT INTO status_audit (at, actor, call, subject_id, before, after)
     VALUES (@at, @actor, @call, @subjectId, @before, @after)`,
  );
  const audit = database.prepare<unknown[], AuditRow>(
    `SELECT at, actor, call, subject_id, before, after FROM status_audit ORDER BY seq DESC LIMIT ? OFFSET ?`,
  );
  const insertNotice = database.prepare(
    `INSERT INTO status_notice (id, kind, subject_id, at, payload)
     VALUES (@id, @kind, @subjectId, @at, @payload)`,
  );
  const dropNotices = database.prepare('DELETE FROM status_notice WHERE at < ?');
  const notices = database.prepare<unknown[], NoticeRow>(
    'SELECT seq, id, kind, subject_id, at, payload FROM status_notice WHERE seq > ? ORDER BY seq LIMIT ?',
  );

  return {
    /** Called inside the transaction of the change. */
    write(entry: AuditEntry | null, news: readonly Notice[]): void {
      if (entry !== null) {
        const [before, after] = [entry.before, entry.after].map((side) => side && JSON.stringify(side));
        insertAudit.run({ ...entry, before, after });
      }
      for (const notice of news) insertNotice.run({ ...notice, payload: JSON.stringify(notice.payload) });
      const newest = news.at(-1);
      if (newest !== undefined) dropNotices.run(newest.at - KEEP_NOTICES_MS);
    },
    async readAudit({ limit, offset }: Stretch): Promise<readonly AuditEntry[]> {
      return audit.all(limit, offset).map((row) => ({
        at: row.at,
        actor: row.actor,
        call: row.call,
        subjectId: row.subject_id,
        before: objectOf(row.before),
        after: objectOf(row.after),
      }));
    },
    async readNotices(afterSequence: number, limit: number): Promise<readonly SequencedNotice[]> {
      return notices.all(afterSequence, limit).map((row) => ({
        sequence: row.seq,
        id: row.id,
        kind: row.kind,
        subjectId: row.subject_id,
        at: row.at,
        payload: JSON.parse(row.payload) as Notice['payload'],
      }));
    },
  };
}

function objectOf(text: string | null): Input | null {
  return text === null ? null : (JSON.parse(text) as Input);
}
