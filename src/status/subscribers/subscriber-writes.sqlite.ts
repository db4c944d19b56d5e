import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { AuditEntry } from '../model/changes.ts';
import { createSqliteAudit } from '../store/audit.sqlite.ts';
import type { Subscriber } from './subscriber.ts';

/** A decision about a subscriber; `audit` is recorded with it. */
interface DecidedSubscriber {
  readonly subscriber: Subscriber;
  readonly audit: AuditEntry;
}

/** What is written of subscribers; each is called inside a transaction of its own. @returns false when the decision came too late. */
export function subscriberWrites(database: SqliteDatabase) {
  const auditLog = createSqliteAudit(database);
  const ids = prepareSubscriberIds(database);
  const insert = database.prepare(
    `INSERT INTO status_subscriber (id, mode, endpoint, email, secret, created_at)
     VALUES (@id, @mode, @endpoint, @email, @secret, @createdAt)`,
  );
  const remove = database.prepare('DELETE FROM status_subscriber WHERE id = ?');
  return {
    /** @param expected those that existed when it was decided. */
    addSubscriber({
      audit,
      expected,
      subscriber,
    }: DecidedSubscriber & { readonly expected: string }): boolean {
      if (ids() !== expected) return false;
      insert.run(subscriber);
      auditLog.write(audit);
      return true;
    },
    removeSubscriber({ audit, subscriber }: DecidedSubscriber): boolean {
      if (remove.run(subscriber.id).changes === 0) return false;
      auditLog.write(audit);
      return true;
    },
  };
}

/** Names all subscribers there are; they never change, they come and go. */
export function prepareSubscriberIds(database: SqliteDatabase): () => string {
  const ids = database
    .prepare<unknown[], string>(
      "SELECT coalesce(group_concat(id), '') FROM (SELECT id FROM status_subscriber ORDER BY seq)",
    )
    .pluck();
  return () => ids.get() ?? '';
}
