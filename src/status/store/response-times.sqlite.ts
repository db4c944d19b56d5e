import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Writer } from '../../storage/writer/writer.ts';
import type { ResponseCount, ResponseTimes } from './response-times.ts';

/** The table is that of `migrations/sqlite/0041-status-response-times.sql`. */
export function createSqliteResponseTimes(
  database: SqliteDatabase,
  writer: Writer<ReturnType<typeof responseTimeWrites>>,
): ResponseTimes {
  const select = database.prepare<unknown[], ResponseCount>(
    'SELECT probe, date, bucket, count FROM status_response_time WHERE date >= ? ORDER BY probe, date, bucket',
  );
  return {
    async add(counts, oldest) {
      if (counts.length > 0) await writer.write('addResponseTimes', { counts, oldest });
    },
    read: async (from) => select.all(from),
  };
}

/** Called inside a transaction of its own. */
export function responseTimeWrites(database: SqliteDatabase) {
  const add = database.prepare(
    `INSERT INTO status_response_time (probe, date, bucket, count) VALUES (@probe, @date, @bucket, @count)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  const drop = database.prepare('DELETE FROM status_response_time WHERE date < ?');
  return {
    addResponseTimes({
      counts,
      oldest,
    }: {
      readonly counts: readonly ResponseCount[];
      readonly oldest: string;
    }): void {
      for (const each of counts) add.run(each);
      drop.run(oldest);
    },
  };
}
