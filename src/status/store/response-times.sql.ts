import type { Sql } from '../../storage/sql/sql.ts';
import type { Writer } from '../../storage/writer/writer.ts';
import type { Work } from '../../values/work.ts';
import type { ResponseCount, ResponseTimes } from './response-times.ts';

/** Reads and writes `status_response_time`. */
export function createResponseTimes(
  sql: Sql,
  writer: Writer<ReturnType<typeof responseTimeWrites>>,
): ResponseTimes {
  const select = sql.prepare<unknown[], ResponseCount>(
    'SELECT probe, date, bucket, count FROM status_response_time WHERE date >= ? ORDER BY probe, date, bucket',
  );
  return {
    async add(counts, oldest) {
      if (counts.length > 0) await writer.write('addResponseTimes', { counts, oldest });
    },
    read: async (from) => sql.read(() => select.all(from)),
  };
}

/** Called inside a transaction of its own. */
export function responseTimeWrites(sql: Sql) {
  const add = sql.prepare(
    `INSERT INTO status_response_time (probe, date, bucket, count) VALUES (@probe, @date, @bucket, @count)
     ON CONFLICT (probe, date, bucket) DO UPDATE SET count = status_response_time.count + excluded.count`,
  );
  const drop = sql.prepare('DELETE FROM status_response_time WHERE date < ?');
  return {
    *addResponseTimes({
      counts,
      oldest,
    }: {
      readonly counts: readonly ResponseCount[];
      readonly oldest: string;
    }): Work<void> {
      for (const each of counts) yield* add.run(each);
      yield* drop.run(oldest);
    },
  };
}
