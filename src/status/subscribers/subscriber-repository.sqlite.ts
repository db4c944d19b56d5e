import { inTransaction, type SqliteDatabase } from '../../storage/sqlite.ts';
import { createSqliteStatusRecords } from '../records/status-records.sqlite.ts';
import type { Subscriber } from './subscriber.ts';
import type { SubscriberRepository } from './subscriber-repository.ts';

const COLUMNS = 'id, endpoint, email, secret, created_at AS createdAt';

/** Subscribers in SQLite; the table is that of `migrations/sqlite/0017-status-subscribers.sql`. */
export function createSqliteSubscriberRepository(database: SqliteDatabase): SubscriberRepository {
  const records = createSqliteStatusRecords(database);
  const list = database.prepare<unknown[], Subscriber>(
    `SELECT ${COLUMNS} FROM status_subscriber ORDER BY seq LIMIT ? OFFSET ?`,
  );
  const find = database.prepare<unknown[], Subscriber>(
    `SELECT ${COLUMNS} FROM status_subscriber WHERE id = ?`,
  );
  const endpoints = database.prepare<unknown[], string>('SELECT endpoint FROM status_subscriber').pluck();
  const insert = database.prepare(
    `INSERT INTO status_subscriber (id, endpoint, email, secret, created_at)
     VALUES (@id, @endpoint, @email, @secret, @createdAt)`,
  );
  const remove = database.prepare('DELETE FROM status_subscriber WHERE id = ?');
  return {
    list: async ({ limit, offset }) => list.all(limit, offset),
    find: async (id) => find.get(id) ?? null,
    add: async (decide) =>
      inTransaction(database, () => {
        const { subscriber, audit } = decide(endpoints.all() as string[]);
        insert.run(subscriber);
        records.write(audit, []);
        return subscriber;
      }),
    remove: async (id, decide) =>
      inTransaction(database, () => {
        const { subscriber, audit } = decide(find.get(id) ?? null);
        remove.run(subscriber.id);
        records.write(audit, []);
        return subscriber;
      }),
  };
}
