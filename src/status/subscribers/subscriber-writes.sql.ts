import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { AuditEntry } from '../model/changes.ts';
import { createAudit } from '../store/audit.sql.ts';
import type { Subscriber } from './subscriber.ts';

/** A decision about a subscriber; `audit` is recorded with it. */
interface DecidedSubscriber {
  readonly subscriber: Subscriber;
  readonly audit: AuditEntry;
}

/** What is written of subscribers; each is called inside a transaction of its own. @returns false when the decision came too late. */
export function subscriberWrites(sql: Sql) {
  const auditLog = createAudit(sql);
  const ids = prepareSubscriberIds(sql);
  // Nobody else adds one meanwhile, or writes news for one that goes.
  const lock = sql.prepare(`SELECT id FROM status_page ${sql.dialect.forUpdate}`);
  const insert = sql.prepare(
    `INSERT INTO status_subscriber (id, mode, endpoint, email, secret, created_at)
     VALUES (@id, @mode, @endpoint, @email, @secret, @createdAt)`,
  );
  const remove = sql.prepare('DELETE FROM status_subscriber WHERE id = ?');
  return {
    /** @param expected those that existed when it was decided. */
    *addSubscriber({
      audit,
      expected,
      subscriber,
    }: DecidedSubscriber & { readonly expected: string }): Work<boolean> {
      yield* lock.get();
      if ((yield* ids()) !== expected) return false;
      yield* insert.run(subscriber);
      yield* auditLog.write(audit);
      return true;
    },
    *removeSubscriber({ audit, subscriber }: DecidedSubscriber): Work<boolean> {
      yield* lock.get();
      if ((yield* remove.run(subscriber.id)).changes === 0) return false;
      yield* auditLog.write(audit);
      return true;
    },
  };
}

/** Names all subscribers there are; they never change, they come and go. */
export function prepareSubscriberIds(sql: Sql): () => Work<string> {
  const ids = sql
    .prepare<unknown[], string>(
      "SELECT coalesce(string_agg(id, ',' ORDER BY seq), '') FROM status_subscriber",
    )
    .pluck();
  return function* () {
    return (yield* ids.get()) ?? '';
  };
}
