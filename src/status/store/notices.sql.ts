import { insertText, prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { Notice, SequencedNotice } from '../model/changes.ts';
import { NOTICE, SEQUENCED_NOTICE } from './status-rows.sql.ts';

/** What was not delivered is kept longer, until its last attempt. */
const KEEP_NOTICES_MS = 30 * 86_400_000;

/** Notices and their deliveries in SQLite. */
export function createNotices(sql: Sql) {
  const insert = sql.prepare<unknown[], { readonly seq: number }>(
    `${insertText('status_notice', NOTICE.columns)} RETURNING seq`,
  );
  const insertDeliveries = sql.prepare(
    `INSERT INTO status_delivery (subscriber_seq, notice_seq, next_at)
     SELECT seq, @notice, @at FROM status_subscriber`,
  );
  const drop = sql.prepare(
    `DELETE FROM status_notice WHERE at < ? AND NOT EXISTS
     (SELECT 1 FROM status_delivery WHERE notice_seq = status_notice.seq AND next_at IS NOT NULL)`,
  );
  const select = prepareSelect(
    sql,
    SEQUENCED_NOTICE,
    'FROM status_notice WHERE seq > ? ORDER BY seq LIMIT ?',
  );

  return {
    /** Called inside the transaction of the change, which has locked the page: subscribers neither come nor go. */
    *write(news: readonly Notice[]): Work<void> {
      for (const notice of news) {
        const inserted = yield* insert.get(NOTICE.write(notice));
        yield* insertDeliveries.run({ notice: inserted?.seq, at: notice.at });
      }
      const newest = news.at(-1);
      if (newest !== undefined) yield* drop.run(newest.at - KEEP_NOTICES_MS);
    },
    /** Notices after a sequence number, oldest first: what was committed and not yet handed on. */
    read: async (afterSequence: number, limit: number): Promise<readonly SequencedNotice[]> =>
      sql.read(() => select.all(afterSequence, limit)),
  };
}
