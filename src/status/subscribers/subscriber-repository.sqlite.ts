import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Writer } from '../../storage/writer/writer.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { Subscriber } from './subscriber.ts';
import type { SubscriberRepository } from './subscriber-repository.ts';
import { prepareSubscriberIds, type subscriberWrites } from './subscriber-writes.sqlite.ts';

const COLUMNS = 'id, mode, endpoint, email, secret, created_at AS createdAt';
/** Others would have to come or go that often while one decision is made. */
const MOST_DECISIONS = 20;

/** Subscribers in SQLite; the table is that of `migrations/sqlite/0017-status-subscribers.sql`. */
export function createSqliteSubscriberRepository(
  database: SqliteDatabase,
  writer: Writer<ReturnType<typeof subscriberWrites>>,
): SubscriberRepository {
  const list = database.prepare<unknown[], Subscriber>(
    `SELECT ${COLUMNS} FROM status_subscriber ORDER BY seq LIMIT ? OFFSET ?`,
  );
  const find = database.prepare<unknown[], Subscriber>(
    `SELECT ${COLUMNS} FROM status_subscriber WHERE id = ?`,
  );
  const endpoints = database.prepare<unknown[], string>('SELECT endpoint FROM status_subscriber').pluck();
  const ids = prepareSubscriberIds(database);
  const snapshot = database.transaction(() => ({ expected: ids(), endpoints: endpoints.all() as string[] }));

  /** Decides again when others came or went meanwhile. */
  async function decide<T>(write: () => Promise<T | null>): Promise<T> {
    for (let decisions = 0; decisions < MOST_DECISIONS; decisions++) {
      const result = await write();
      if (result !== null) return result;
    }
    throw new StorageBusyError('the subscribers are being changed by others');
  }

  return {
    list: async ({ limit, offset }) => list.all(limit, offset),
    find: async (id) => find.get(id) ?? null,
    add: (make) =>
      decide(async () => {
        const { endpoints, expected } = snapshot();
        const decided = make(endpoints);
        const isWritten = await writer.write('addSubscriber', { ...decided, expected });
        return isWritten ? decided.subscriber : null;
      }),
    remove: (id, make) =>
      decide(async () => {
        const decided = make(find.get(id) ?? null);
        return (await writer.write('removeSubscriber', decided)) ? decided.subscriber : null;
      }),
  };
}
