import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { type AttemptResult, type Delivery, LEASE_MS } from './delivery-queue.ts';
import { type FreeQuery, prepareFreeSubscribers } from './free-subscribers.sqlite.ts';

/** A delivery with the keys of its row. */
export interface DeliveryRow extends Delivery {
  readonly subscriberSeq: number;
  readonly noticeSeq: number;
}

/** An attempt that ended; the delivery is as the queue gave it out. */
export interface AttemptEnd {
  readonly owner: string;
  readonly delivery: DeliveryRow;
  readonly result: AttemptResult;
  readonly now: number;
}

/** What is written of deliveries; each is called inside a transaction of its own. */
export function deliveryWrites(database: SqliteDatabase) {
  const free = prepareFreeSubscribers(database);
  const take = database.prepare(
    'UPDATE status_subscriber SET lease_owner = @owner, leased_until = @until WHERE seq = @seq',
  );
  const due = database.prepare<unknown[], DeliveryRow>(
    `SELECT n.id || '-' || s.id AS id, s.id AS subscriberId, s.mode, s.endpoint, s.secret, d.attempts,
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

  return {
    leaseDeliveries({
      except,
      limit,
      now,
      owner,
    }: FreeQuery & { readonly owner: string }): readonly DeliveryRow[] {
      return free({ now, limit, except }).flatMap((seq) => {
        take.run({ seq, owner, until: now + LEASE_MS });
        return due.get(seq, now) ?? [];
      });
    },
    settleDelivery({ delivery, now, owner, result }: AttemptEnd): DeliveryRow | null {
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
    },
    releaseDeliveries: (owner: string): void => void release.run(owner),
  };
}
