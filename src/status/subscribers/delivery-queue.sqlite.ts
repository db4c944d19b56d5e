import { inTransaction, type SqliteDatabase } from '../../storage/sqlite.ts';
import { withoutWaiting } from '../../storage/without-waiting.ts';
import { type AttemptResult, type Delivery, type DeliveryQueue, LEASE_MS, LOCKED } from './delivery-queue.ts';

interface DeliveryRow extends Delivery {
  readonly subscriberSeq: number;
  readonly noticeSeq: number;
}

/** An attempt that ended and is not stored yet. */
interface AttemptEnd {
  readonly owner: string;
  /** As this queue gave it out, with the keys of its row. */
  readonly delivery: DeliveryRow;
  readonly result: AttemptResult;
  readonly now: number;
  readonly resolve: (next: Delivery | null | typeof LOCKED) => void;
  readonly reject: (error: unknown) => void;
}

/** The outbox in SQLite; the tables are those of `migrations/sqlite/0017-status-subscribers.sql`. */
export function createSqliteDeliveryQueue(database: SqliteDatabase): DeliveryQueue {
  // A lease that ends much later than one that was taken now is from before the clock was set back.
  const free = database
    .prepare<unknown[], number>(
      `SELECT seq FROM status_subscriber AS s
       WHERE (leased_until <= @now OR leased_until > @now + ${2 * LEASE_MS})
         AND EXISTS (SELECT 1 FROM status_delivery WHERE subscriber_seq = s.seq AND next_at <= @now)
       ORDER BY failed_at NULLS FIRST, seq LIMIT @limit`,
    )
    .pluck();
  const take = database.prepare(
    'UPDATE status_subscriber SET lease_owner = @owner, leased_until = @until WHERE seq = @seq',
  );
  const due = database.prepare<unknown[], DeliveryRow>(
    `SELECT n.id || '-' || s.id AS id, s.id AS subscriberId, s.endpoint, s.secret, d.attempts,
            n.generated_at AS generatedAt, n.payload, s.seq AS subscriberSeq, n.seq AS noticeSeq
     FROM status_delivery AS d
       JOIN status_subscriber AS s ON s.seq = d.subscriber_seq
       JOIN status_notice AS n ON n.seq = d.notice_seq
     WHERE d.subscriber_seq = ? AND d.next_at <= ?
     ORDER BY d.next_at, d.notice_seq LIMIT 1`,
  );
  const key = 'subscriber_seq = @subscriberSeq AND notice_seq = @noticeSeq';
  const remove = database.prepare(`DELETE FROM status_delivery WHERE ${key}`);
  // Whoever lost the lease must not count an attempt that its successor has counted already.
  const postpone = database.prepare(
    `UPDATE status_delivery SET attempts = attempts + 1, next_at = @nextAt
     WHERE ${key} AND attempts = @attempts`,
  );
  const end = database.prepare(
    `UPDATE status_subscriber SET lease_owner = NULL, leased_until = 0, failed_at = @failedAt
     WHERE seq = @seq AND lease_owner = @owner`,
  );
  const prolong = database.prepare(
    `UPDATE status_subscriber SET leased_until = @until, failed_at = NULL
     WHERE seq = @seq AND lease_owner = @owner`,
  );
  const release = database.prepare(
    'UPDATE status_subscriber SET lease_owner = NULL, leased_until = 0 WHERE lease_owner = ?',
  );
  const count = database.prepare<unknown[], { readonly waiting: number; readonly givenUp: number }>(
    'SELECT count(next_at) AS waiting, count(*) - count(next_at) AS givenUp FROM status_delivery',
  );

  /** Runs a transaction unless somebody else writes: nobody waits for a delivery, so it does not stop the process. */
  function unlessLocked<T>(work: () => T): T | typeof LOCKED {
    let result: T | typeof LOCKED = LOCKED;
    withoutWaiting(database, () => {
      result = inTransaction(database, work);
    });
    return result;
  }

  function settleOne({ owner, delivery, result, now }: AttemptEnd): Delivery | null {
    const { subscriberSeq: seq, noticeSeq, attempts } = delivery;
    if (result.kind === 'failed') {
      postpone.run({ subscriberSeq: seq, noticeSeq, attempts, nextAt: result.nextAt });
      end.run({ seq, owner, failedAt: now });
      return null;
    }
    remove.run({ subscriberSeq: seq, noticeSeq });
    const next = due.get(seq, now) ?? null;
    if (next === null) end.run({ seq, owner, failedAt: null });
    else if (prolong.run({ seq, owner, until: now + LEASE_MS }).changes === 0) return null;
    return next;
  }

  /** Answers come in crowds, and a commit waits for the disk: those of one turn share it. */
  let ends: AttemptEnd[] = [];
  function storeEnds(): void {
    const stored = ends;
    ends = [];
    try {
      const nexts = unlessLocked(() => stored.map(settleOne));
      for (const [index, { resolve }] of stored.entries())
        resolve(nexts === LOCKED ? LOCKED : (nexts[index] ?? null));
    } catch (error) {
      // The database fails: whoever waits is told.
      for (const { reject } of stored) reject(error);
    }
  }

  return {
    async lease(owner, now, limit) {
      // Nearly always nothing is due: that is found without the write lock.
      if (free.get({ now, limit: 1 }) === undefined) return [];
      return unlessLocked(() =>
        (free.all({ now, limit }) as number[]).flatMap((seq) => {
          take.run({ seq, owner, until: now + LEASE_MS });
          return due.get(seq, now) ?? [];
        }),
      );
    },
    settle(owner, delivery, result, now) {
      return new Promise((resolve, reject) => {
        if (ends.length === 0) setImmediate(storeEnds);
        ends.push({ owner, delivery: delivery as DeliveryRow, result, now, resolve, reject });
      });
    },
    async release(owner) {
      // Left out while somebody else writes: the leases end by themselves.
      withoutWaiting(database, () => void release.run(owner));
    },
    async count() {
      return count.get() ?? { waiting: 0, givenUp: 0 };
    },
  };
}
