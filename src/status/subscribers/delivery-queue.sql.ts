import type { Sql } from '../../storage/sql/sql.ts';
import type { Writer } from '../../storage/writer/writer.ts';
import type { Work } from '../../values/work.ts';
import { prepareKeeperCheck } from '../store/page-keeping.sql.ts';
import type { KeeperToken } from '../store/page-keeping.ts';
import { type AttemptResult, type Delivery, LEASE_MS } from './delivery-queue.ts';

/** Nobody waits for a delivery. */
const AT_ONCE = { patienceMs: 0 };

/**
 * The durable outbox. Its rows are written with the change that they tell of.
 *
 * A subscriber is served by one process at a time: whoever holds its lease. A lease that ended may be taken by
 * anybody, so a process that stood still longer may send once more what another one sends too. Its writes do not wait
 * for others: they are refused by `StorageBusyError`, and asking again later helps.
 *
 * @see docs/adr/0023-status-page.md
 */
export function createDeliveryQueue(sql: Sql, writer: Writer<ReturnType<typeof deliveryWrites>>) {
  const free = prepareFreeSubscribers(sql);
  const count = sql.prepare<unknown[], { readonly waiting: number; readonly givenUp: number }>(
    'SELECT count(next_at) AS waiting, count(*) - count(next_at) AS givenUp FROM status_delivery',
  );
  return {
    /**
     * Takes subscribers for whom something is due and whom nobody serves, at most `limit`, those whose newest attempt
     * did not fail first.
     *
     * @param except ids of those whom the owner still serves, though their lease may have ended.
     * @param keeper what says that this process keeps the page. Default null: anybody may send.
     * @returns for each the delivery that has been due longest.
     */
    async lease(
      owner: string,
      now: number,
      limit: number,
      except: readonly string[] = [],
      keeper: KeeperToken | null = null,
    ): Promise<readonly Delivery[]> {
      // Nearly always nothing is due: that is found without the write lock.
      const first = await sql.read(() => free({ now, limit: 1, except }));
      if (first.length === 0) return [];
      return writer.write('leaseDeliveries', { owner, now, limit, except, keeper }, AT_ONCE);
    },
    /**
     * Stores how an attempt ended. A success prolongs the lease when more is due; otherwise it ends.
     *
     * @param keeper as of `lease`; who does not keep the page any more gives the subscriber back.
     * @returns the next delivery to this subscriber; null: none, or the lease is not held any more.
     */
    settle(
      owner: string,
      delivery: Delivery,
      result: AttemptResult,
      now: number,
      keeper: KeeperToken | null = null,
    ): Promise<Delivery | null> {
      const end = { owner, delivery: delivery as DeliveryRow, result, now, keeper };
      return writer.write('settleDelivery', end, AT_ONCE);
    },
    /** Gives back leases without an attempt having ended. */
    release: (owner: string) => writer.write('releaseDeliveries', owner, AT_ONCE),
    /** How many deliveries wait for an attempt, and how many were given up and are still kept. */
    count: sql.reading(function* () {
      return (yield* count.get()) ?? { waiting: 0, givenUp: 0 };
    }),
  };
}

interface FreeQuery {
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
function prepareFreeSubscribers(sql: Sql, forUpdate = ''): (asked: FreeQuery) => Work<readonly number[]> {
  const { eachNamed, textList } = sql.dialect;
  // A lease that ends much later than one that was taken now is from before the clock was set back.
  const free = sql.prepareValue<unknown[], number>(
    `SELECT seq FROM status_subscriber AS s
     WHERE (leased_until <= @now OR leased_until > @now + ${2 * LEASE_MS})
       AND s.id NOT IN (SELECT value FROM ${eachNamed('except')})
       AND EXISTS (SELECT 1 FROM status_delivery WHERE subscriber_seq = s.seq AND next_at <= @now)
     ORDER BY failed_at NULLS FIRST, seq LIMIT @limit ${forUpdate}`,
  );
  return function* ({ except, limit, now }) {
    return (yield* free.all({ except: textList(except), limit, now })) as number[];
  };
}

/** A delivery with the keys of its row. */
interface DeliveryRow extends Delivery {
  readonly subscriberSeq: number;
  readonly noticeSeq: number;
}

/** An attempt that ended; the delivery is as the queue gave it out. */
interface AttemptEnd {
  readonly owner: string;
  readonly delivery: DeliveryRow;
  readonly result: AttemptResult;
  readonly now: number;
  readonly keeper: KeeperToken | null;
}

/** What is written of deliveries; each is called inside a transaction of its own. */
export function deliveryWrites(sql: Sql) {
  const keeper = prepareKeeperCheck(sql);
  const free = prepareFreeSubscribers(sql, sql.dialect.forUpdateOfFree);
  const take = sql.prepare(
    'UPDATE status_subscriber SET lease_owner = @owner, leased_until = @until WHERE seq = @seq',
  );
  const due = sql.prepare<unknown[], DeliveryRow>(
    `SELECT n.id || '-' || s.id AS id, s.id AS subscriberId, s.mode, s.endpoint, s.secret, d.attempts,
            n.generated_at AS generatedAt, n.payload, s.seq AS subscriberSeq, n.seq AS noticeSeq
     FROM status_delivery AS d
       JOIN status_subscriber AS s ON s.seq = d.subscriber_seq
       JOIN status_notice AS n ON n.seq = d.notice_seq
     WHERE d.subscriber_seq = ? AND d.next_at <= ?
     ORDER BY d.next_at, d.notice_seq LIMIT 1`,
  );
  const key = 'subscriber_seq = @subscriberSeq AND notice_seq = @noticeSeq';
  const remove = sql.prepare(`DELETE FROM status_delivery WHERE ${key}`);
  // Whoever lost the lease must not count an attempt that its successor has counted already.
  const postpone = sql.prepare(
    `UPDATE status_delivery SET attempts = attempts + 1, next_at = @nextAt
     WHERE ${key} AND attempts = @attempts`,
  );
  const end = sql.prepare(
    `UPDATE status_subscriber SET lease_owner = NULL, leased_until = 0, failed_at = @failedAt
     WHERE seq = @seq AND lease_owner = @owner`,
  );
  const prolong = sql.prepare(
    `UPDATE status_subscriber SET leased_until = @until, failed_at = NULL
     WHERE seq = @seq AND lease_owner = @owner`,
  );
  const release = sql.prepare(
    'UPDATE status_subscriber SET lease_owner = NULL, leased_until = 0 WHERE lease_owner = ?',
  );

  return {
    *leaseDeliveries({
      except,
      keeper: token,
      limit,
      now,
      owner,
    }: FreeQuery & Pick<AttemptEnd, 'keeper' | 'owner'>): Work<readonly DeliveryRow[]> {
      yield* keeper.check(token);
      const leased: DeliveryRow[] = [];
      for (const seq of yield* free({ now, limit, except })) {
        yield* take.run({ seq, owner, until: now + LEASE_MS });
        const first = yield* due.get(seq, now);
        if (first !== undefined) leased.push(first);
      }
      return leased;
    },
    *settleDelivery({ delivery, keeper: token, now, owner, result }: AttemptEnd): Work<DeliveryRow | null> {
      const { subscriberSeq: seq, noticeSeq, attempts } = delivery;
      if (result.kind === 'failed') {
        yield* postpone.run({ subscriberSeq: seq, noticeSeq, attempts, nextAt: result.nextAt });
        yield* end.run({ seq, owner, failedAt: now });
        return null;
      }
      yield* remove.run({ subscriberSeq: seq, noticeSeq });
      const next = (yield* keeper.is(token)) ? ((yield* due.get(seq, now)) ?? null) : null;
      if (next === null) yield* end.run({ seq, owner, failedAt: null });
      else if ((yield* prolong.run({ seq, owner, until: now + LEASE_MS })).changes === 0) return null;
      return next;
    },
    *releaseDeliveries(owner: string): Work<void> {
      yield* release.run(owner);
    },
  };
}
