import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import { LEASE_MS } from './delivery-queue.ts';

export interface FreeQuery {
  readonly now: number;
  readonly limit: number;
  /** Ids that are passed over. */
  readonly except: readonly string[];
}

/**
 * Subscribers for whom something is due and whom nobody serves, by row, those whose newest attempt did not fail first.
 *
 * @param forUpdate keeps others from taking them until the transaction ends.
 */
export function prepareFreeSubscribers(
  sql: Sql,
  forUpdate = '',
): (asked: FreeQuery) => Work<readonly number[]> {
  const { eachNamed, textList } = sql.dialect;
  // A lease that ends much later than one that was taken now is from before the clock was set back.
  const free = sql
    .prepare<unknown[], number>(
      `SELECT seq FROM status_subscriber AS s
       WHERE (leased_until <= @now OR leased_until > @now + ${2 * LEASE_MS})
         AND s.id NOT IN (SELECT value FROM ${eachNamed('except')})
         AND EXISTS (SELECT 1 FROM status_delivery WHERE subscriber_seq = s.seq AND next_at <= @now)
       ORDER BY failed_at NULLS FIRST, seq LIMIT @limit ${forUpdate}`,
    )
    .pluck();
  return function* ({ except, limit, now }) {
    return (yield* free.all({ except: textList(except), limit, now })) as number[];
  };
}
