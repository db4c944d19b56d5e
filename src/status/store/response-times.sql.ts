import type { Sql } from '../../storage/sql/sql.ts';
import type { Writer } from '../../storage/writer/writer.ts';
import type { Work } from '../../values/work.ts';

/** How many calls of a probe fell into a bucket on a day. */
export interface ResponseCount {
  readonly probe: string;
  /** `YYYY-MM-DD` in the page's zone. */
  readonly date: string;
  /** @see bucketOf */
  readonly bucket: number;
  readonly count: number;
}

/** How long the measured parts took, by day. */
export type ResponseTimes = ReturnType<typeof createResponseTimes>;

/** Reads and writes `status_response_time`. */
export function createResponseTimes(sql: Sql, writer: Writer<ReturnType<typeof responseTimeWrites>>) {
  const select = sql.prepare<unknown[], ResponseCount>(
    'SELECT probe, date, bucket, count FROM status_response_time WHERE date >= ? ORDER BY probe, date, bucket',
  );
  return {
    /** Adds counts to what is there, also to what other processes added, and drops days before `oldest`. */
    async add(counts: readonly ResponseCount[], oldest: string) {
      if (counts.length > 0) await writer.write('addResponseTimes', { counts, oldest });
    },
    /** From a day on, by probe and day. */
    read: async (from: string) => sql.read(() => select.all(from)),
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
