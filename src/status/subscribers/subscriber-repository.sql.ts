import type { Sql } from '../../storage/sql/sql.ts';
import { DEFAULT_PATIENCE_MS, monotonicMs, type Writer } from '../../storage/writer/writer.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { Work } from '../../values/work.ts';
import type { AuditEntry } from '../model/changes.ts';
import type { Stretch } from '../model/page-state.ts';
import { createAudit } from '../store/page-writes.sql.ts';
import type { Subscriber } from './subscriber.ts';

/** A subscriber to be stored or deleted, and what is recorded of that. */
interface RecordedSubscriber {
  readonly subscriber: Subscriber;
  readonly audit: AuditEntry;
}

export type SubscriberRepository = ReturnType<typeof createSubscriberRepository>;

const COLUMNS = 'id, mode, endpoint, email, secret, created_at AS createdAt';

/** Keeps subscribers. When a decision throws, nothing is written. */
export function createSubscriberRepository(sql: Sql, writer: Writer<ReturnType<typeof subscriberWrites>>) {
  const list = sql.prepare<unknown[], Subscriber>(
    `SELECT ${COLUMNS} FROM status_subscriber ORDER BY seq LIMIT ? OFFSET ?`,
  );
  const find = sql.prepare<unknown[], Subscriber>(`SELECT ${COLUMNS} FROM status_subscriber WHERE id = ?`);
  const endpoints = sql.prepareValue<unknown[], string>('SELECT endpoint FROM status_subscriber');
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
    /** In order of their creation. */
    list: async ({ limit, offset }: Stretch) => sql.read(() => list.all(limit, offset)),
    /** Null when it does not exist. */
    find: sql.reading(function* (id: string) {
      return (yield* find.get(id)) ?? null;
    }),
    /**
     * Adds one.
     *
     * @param make gets the endpoints of all that exist.
     */
    add: (make: (endpoints: readonly string[]) => RecordedSubscriber) =>
      decide(async () => {
        const { expected, known } = await sql.readTogether(function* () {
          return { expected: yield* ids(), known: yield* endpoints.all() };
        });
        const decided = make(known);
        const isWritten = await writer.write('addSubscriber', { ...decided, expected });
        return isWritten ? decided.subscriber : null;
      }),
    /**
     * Deletes one, with everything that has not reached it yet.
     *
     * @param make gets it, or null when it does not exist; to leave it, it throws.
     * @returns what was deleted.
     */
    remove: (id: string, make: (found: Subscriber | null) => RecordedSubscriber) =>
      decide(async () => {
        const decided = make((await sql.read(() => find.get(id))) ?? null);
        return (await writer.write('removeSubscriber', decided)) ? decided.subscriber : null;
      }),
  };
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
    }: RecordedSubscriber & { readonly expected: string }): Work<boolean> {
      yield* lock.get();
      if ((yield* ids()) !== expected) return false;
      yield* insert.run(subscriber);
      yield* auditLog.write(audit);
      return true;
    },
    *removeSubscriber({ audit, subscriber }: RecordedSubscriber): Work<boolean> {
      yield* lock.get();
      if ((yield* remove.run(subscriber.id)).changes === 0) return false;
      yield* auditLog.write(audit);
      return true;
    },
  };
}

/** Names all subscribers there are; they never change, they come and go. */
function prepareSubscriberIds(sql: Sql): () => Work<string> {
  const ids = sql.prepareValue<unknown[], string>(
    "SELECT coalesce(string_agg(id, ',' ORDER BY seq), '') FROM status_subscriber",
  );
  return function* () {
    return (yield* ids.get()) ?? '';
  };
}
