import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { LEASE_MS } from './delivery-queue.ts';

export interface FreeQuery {
  readonly now: number;
  readonly limit: number;
  /** Ids that are passed over. */
  readonly except: readonly string[];
}

/** Subscribers for whom something is due and whom nobody serves, by row, those whose newest attempt did not fail first. */
export function prepareFreeSubscribers(database: SqliteDatabase): (asked: FreeQuery) => readonly number[] {
  // A lease that ends much later than one that was taken now is from before the clock was set back.
  const free = database
    .prepare<unknown[], number>(
      `SELECT seq FROM status_subscriber AS s
       WHERE (leased_until <= @now OR leased_until > @now + ${2 * LEASE_MS})
         AND s.id NOT IN (SELECT value FROM json_each(@except))
         AND EXISTS (SELECT 1 FROM status_delivery WHERE subscriber_seq = s.seq AND next_at <= @now)
       ORDER BY failed_at NULLS FIRST, seq LIMIT @limit`,
    )
    .pluck();
  return ({ except, limit, now }) => free.all({ except: JSON.stringify(except), limit, now }) as number[];
}
