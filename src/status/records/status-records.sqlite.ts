import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Input } from '../rules/input-members.ts';
import type { SequencedNotice, Stretch } from '../store/status-repository.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { Notice } from './notice.ts';

/** What was not delivered is kept longer, until its last attempt. */
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
  readonly generated_at: string;
  readonly payload: string;
}

/**
 * Audit, notices and their deliveries in SQLite; the tables are those of
 * `migrations/sqlite/0013-status-management.sql` and `0017-status-subscribers.sql`.
 */
export function createSqliteStatusRecords(database: SqliteDatabase) {
  const insertAudit = database.prepare(
    `INSERT INTO status_audit (at, actor, call, subject_id, before, after)
     VALUES (@at, @actor, @call, @subjectId, @before, @after)`,
  );
  const audit = database.prepare<unknown[], AuditRow>(
    `SELECT at, actor, call, subject_id, before, after FROM status_audit ORDER BY seq DESC LIMIT ? OFFSET ?`,
  );
  const insertNotice = database.prepare(
    `INSERT INTO status_notice (id, kind, subject_id, at, generated_at, payload)
     VALUES (@id, @kind, @subjectId, @at, @generatedAt, @payload)`,
  );
  const insertDeliveries = database.prepare(
    `INSERT INTO status_delivery (subscriber_seq, notice_seq, next_at)
     SELECT seq, @notice, @at FROM status_subscriber`,
  );
  const dropNotices = database.prepare(
    `DELETE FROM status_notice WHERE at < ? AND NOT EXISTS
     (SELECT 1 FROM status_delivery WHERE notice_seq = status_notice.seq AND next_at IS NOT NULL)`,
  );
  const notices = database.prepare<unknown[], NoticeRow>(
    `SELECT seq, id, kind, subject_id, at, generated_at, payload FROM status_notice
     WHERE seq > ? ORDER BY seq LIMIT ?`,
  );

  return {
    /** Called inside the transaction of the change. */
    write(entry: AuditEntry | null, news: readonly Notice[]): void {
      if (entry !== null) {
        const [before, after] = [entry.before, entry.after].map((side) => side && JSON.stringify(side));
        insertAudit.run({ ...entry, before, after });
      }
      for (const notice of news) {
        const { lastInsertRowid } = insertNotice.run({ ...notice, payload: JSON.stringify(notice.payload) });
        insertDeliveries.run({ notice: lastInsertRowid, at: notice.at });
      }
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
        generatedAt: row.generated_at,
        payload: JSON.parse(row.payload) as Notice['payload'],
      }));
    },
  };
}

function objectOf(text: string | null): Input | null {
  return text === null ? null : (JSON.parse(text) as Input);
}
