import { DATABASE_NOW as NOW, type Sql } from '../../storage/sql/sql.ts';
import { StorageBusyError } from '../../values/storage-errors.ts';
import type { Work } from '../../values/work.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import { ALONE, type Findings, type KeeperToken, type PageKeeping } from './page-keeping.ts';

/** Without a sign of life for so long another replica keeps the page; the keeper gives one every 5 s. */
const LEASE_MS = 15_000;
/** A replica that has not handed in anything for two rounds and a half is gone, and what it found does not count. */
const PRESENT_MS = 40_000;
/** A probe asks every minute at the most seldom; one that gives nothing for longer is broken there. */
const FRESH_MS = 300_000;
/** Rows of replicas that are gone. */
const DROP_AFTER_MS = 3_600_000;
/** A keeper that stands still in the middle of a write loses its connection, and with it the lock on the lease. */
const IDLE_WRITE_MS = 10_000;
/** No stretch has this number. */
const NO_TOKEN: KeeperToken = -1;

/** Whether several replicas may serve the page from the database at a time. */
const isShared = ({ dialect }: Sql): boolean => dialect.name === 'postgres';

/** Asked inside the writes of the keeper. A write without a token is nobody's in particular. */
export function prepareKeeperCheck(sql: Sql) {
  const held = isShared(sql)
    ? sql.prepare<[string, KeeperToken]>(
        `SELECT set_config('idle_in_transaction_session_timeout', ?, true) FROM status_keeper
         WHERE token = ? AND replica IS NOT NULL FOR SHARE`,
      )
    : null;
  function* is(token: KeeperToken | null): Work<boolean> {
    return held === null || token === null || (yield* held.get(String(IDLE_WRITE_MS), token)) !== undefined;
  }
  return {
    /** Whether who has the token keeps the page; then until the write ends at least. */
    is,
    /** @throws StorageBusyError when another replica took over. */
    *check(token: KeeperToken | null): Work<void> {
      if (yield* is(token)) return;
      throw new StorageBusyError('another server runs the status page');
    },
  };
}

interface FoundRow {
  readonly probe: string;
  readonly level: ComponentStatus;
}

/** Where replicas share a database, a row of it says who keeps the page, and others what each has measured. */
export function createPageKeeping(sql: Sql): PageKeeping {
  if (!isShared(sql)) return ALONE;
  const nextNumber = sql.prepareValue<[], number>("SELECT nextval('status_replica_number')");
  // Does not wait for a write of the keeper that holds the row: whoever writes is alive.
  const take = sql.prepareValue<[number, number], number>(
    `UPDATE status_keeper SET token = token + 1, replica = ?, until_ms = ${NOW} + ? WHERE only_row =
       (SELECT only_row FROM status_keeper WHERE replica IS NULL OR until_ms <= ${NOW} FOR UPDATE SKIP LOCKED)
     RETURNING token`,
  );
  const prolong = sql.prepare<[number, KeeperToken]>(
    `UPDATE status_keeper SET until_ms = ${NOW} + ? WHERE token = ? AND replica IS NOT NULL`,
  );
  const giveBack = sql.prepare<[KeeperToken]>('UPDATE status_keeper SET replica = NULL WHERE token = ?');

  const signOfLife = sql.prepare<[number]>(
    `INSERT INTO status_replica (number, seen_ms) VALUES (?, ${NOW})
     ON CONFLICT (number) DO UPDATE SET seen_ms = excluded.seen_ms`,
  );
  const handIn = sql.prepare(
    `INSERT INTO status_sample (replica, probe, level, at_ms)
     SELECT cast(? AS bigint), probes.value, levels.value, ${NOW}
     FROM ${sql.dialect.eachText('probes')} JOIN ${sql.dialect.eachText('levels')} ON levels.key = probes.key
     ON CONFLICT (replica, probe) DO UPDATE SET level = excluded.level, at_ms = excluded.at_ms`,
  );
  const forget = sql.prepare(`DELETE FROM status_replica WHERE seen_ms < ${NOW} - ${DROP_AFTER_MS}`);
  const found = sql.prepare<[], FoundRow>(
    `SELECT probe, level FROM status_sample JOIN status_replica ON number = replica
     WHERE seen_ms > ${NOW} - ${PRESENT_MS} AND at_ms > ${NOW} - ${FRESH_MS} ORDER BY probe, replica`,
  );

  let number: number | null = null;
  let held: KeeperToken | null = null;
  async function ownNumber(): Promise<number> {
    number ??= (await sql.write(() => nextNumber.get())) as number;
    return number;
  }

  return {
    async hold() {
      const token = held;
      if (token !== null && (await sql.write(() => prolong.run(LEASE_MS, token))).changes === 0) held = null;
      if (held !== null) return held;
      const own = await ownNumber();
      held = (await sql.write(() => take.get(own, LEASE_MS))) ?? null;
      return held;
    },
    isKeeper: () => held !== null,
    token: () => held ?? NO_TOKEN,
    async release() {
      const token = held;
      held = null;
      if (token !== null) await sql.write(() => giveBack.run(token));
      // Whoever goes on from here on what is stored by then has to be numbered in it.
      number = null;
    },
    async exchange(samples): Promise<Findings> {
      const own = await ownNumber();
      const { textList } = sql.dialect;
      const rows = await sql.write(function* () {
        yield* signOfLife.run(own);
        yield* handIn.run(own, textList(samples.keys()), textList(samples.values()));
        yield* forget.run();
        return yield* found.all();
      });
      const levels = new Map<string, ComponentStatus[]>();
      for (const { probe, level } of rows) levels.set(probe, [...(levels.get(probe) ?? []), level]);
      return levels;
    },
  };
}
