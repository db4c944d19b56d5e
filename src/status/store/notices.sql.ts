import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { Notice, SequencedNotice } from '../model/changes.ts';

/** What was not delivered is kept longer, until its last attempt. */
const KEEP_NOTICES_MS = 30 * 86_400_000;

interface NoticeRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly subject_id: string;
  readonly at: number;
  readonly generated_at: string;
  readonly payload: string;
}

/** Notices and their deliveries in SQLite. */
export function createNotices(sql: Sql) {
  const insert = sql.prepare<unknown[], { readonly seq: number }>(
    `INSERT INTO status_notice (id, kind, subject_id, at, generated_at, payload)
     VALUES (@id, @kind, @subjectId, @at, @generatedAt, @payload) RETURNING seq`,
  );
  const insertDeliveries = sql.prepare(
    `INSERT INTO status_delivery (subscriber_seq, notice_seq, next_at)
     SELECT seq, @notice, @at FROM status_subscriber`,
  );
  const drop = sql.prepare(
    `DELETE FROM status_notice WHERE at < ? AND NOT EXISTS
     (SELECT 1 FROM status_delivery WHERE notice_seq = status_notice.seq AND next_at IS NOT NULL)`,
  );
  const select = sql.prepare<unknown[], NoticeRow>(
    `SELECT seq, id, kind, subject_id, at, generated_at, payload FROM status_notice
     WHERE seq > ? ORDER BY seq LIMIT ?`,
  );

  return {
    /** Called inside the transaction of the change, which has locked the page: subscribers neither come nor go. */
    *write(news: readonly Notice[]): Work<void> {
      for (const notice of news) {
        const inserted = yield* insert.get({ ...notice, payload: JSON.stringify(notice.payload) });
        yield* insertDeliveries.run({ notice: inserted?.seq, at: notice.at });
      }
      const newest = news.at(-1);
      if (newest !== undefined) yield* drop.run(newest.at - KEEP_NOTICES_MS);
    },
    async read(afterSequence: number, limit: number): Promise<readonly SequencedNotice[]> {
      return sql.read(function* () {
        return (yield* select.all(afterSequence, limit)).map((row) => ({
          sequence: row.seq,
          id: row.id,
          kind: row.kind,
          subjectId: row.subject_id,
          at: row.at,
          generatedAt: row.generated_at,
          payload: JSON.parse(row.payload) as Notice['payload'],
        }));
      });
    },
  };
}
