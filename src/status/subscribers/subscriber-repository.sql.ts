import type { Sql } from '../../storage/sql/sql.ts';
import { DEFAULT_PATIENCE_MS, monotonicMs, type Writer } from '../../storage/writer/writer.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { Subscriber } from './subscriber.ts';
import type { SubscriberRepository } from './subscriber-repository.ts';
import { prepareSubscriberIds, type subscriberWrites } from './subscriber-writes.sql.ts';

const COLUMNS = 'id, mode, endpoint, email, secret, created_at AS createdAt';

/** Subscribers in SQLite. */
export function createSubscriberRepository(
  sql: Sql,
  writer: Writer<ReturnType<typeof subscriberWrites>>,
): SubscriberRepository {
  const list = sql.prepare<unknown[], Subscriber>(
    `SELECT ${COLUMNS} FROM status_subscriber ORDER BY seq LIMIT ? OFFSET ?`,
  );
  const find = sql.prepare<unknown[], Subscriber>(`SELECT ${COLUMNS} FROM status_subscriber WHERE id = ?`);
  const endpoints = sql.prepare<unknown[], string>('SELECT endpoint FROM status_subscriber').pluck();
  const ids = prepareSubscriberIds(sql);

  /** Decides again when others came or went meanwhile. */
  async function decide<T>(write: () => Promise<T | null>): Promise<T> {
    const deadline = monotonicMs() + DEFAULT_PATIENCE_MS;
    while (monotonicMs() < deadline) {
      const result = await write();
      if (result !== null) return result;
    }
    throw new StorageBusyError('the subscribers are being changed by others');
  }

  return {
    list: async ({ limit, offset }) => sql.read(() => list.all(limit, offset)),
    find: sql.reading(function* (id) {
      return (yield* find.get(id)) ?? null;
    }),
    add: (make) =>
      decide(async () => {
        const { expected, known } = await sql.readTogether(function* () {
          return { expected: yield* ids(), known: yield* endpoints.all() };
        });
        const decided = make(known);
        const isWritten = await writer.write('addSubscriber', { ...decided, expected });
        return isWritten ? decided.subscriber : null;
      }),
    remove: (id, make) =>
      decide(async () => {
        const decided = make((await sql.read(() => find.get(id))) ?? null);
        return (await writer.write('removeSubscriber', decided)) ? decided.subscriber : null;
      }),
  };
}
