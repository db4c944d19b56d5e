import type pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { migratePostgres } from '../../../src/storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../../../src/storage/postgres/postgres-pool.ts';
import { postgresSql } from '../../../src/storage/postgres/postgres-sql.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import { doWork, type Work } from '../../../src/values/work.ts';
import type { PostgresCluster } from '../../support/postgres.ts';

/** A write whose transaction is still open. */
export interface HeldWrite<T> {
  readonly result: T;
  commit(): Promise<void>;
}

/** Two servers on one empty PostgreSQL database. */
export interface Replicas<Opened> {
  readonly first: Opened;
  readonly second: Opened;
  readonly pool: pg.Pool;
  /** Does a write as a third one would, and keeps its transaction open. */
  hold<T>(write: (sql: Sql) => Work<T>): Promise<HeldWrite<T>>;
  /** Does a statement and keeps its transaction open. @returns what ends it. */
  lock(statement: string): Promise<() => Promise<void>>;
  /** Resolves when so many transactions wait for a lock of another one. */
  waiting(count: number): Promise<void>;
}

/** Opens them for a test. */
export async function twoReplicas<Opened>(
  cluster: PostgresCluster,
  open: (sql: Sql) => Opened,
): Promise<Replicas<Opened>> {
  const url = await cluster.createDatabase();
  const [pool, one, two] = [openPostgresPool(url), openPostgresPool(url), openPostgresPool(url)] as const;
  onTestFinished(async () => {
    for (const each of [pool, one, two]) await each.end();
  });
  await migratePostgres(pool);
  return {
    first: open(postgresSql(one)),
    second: open(postgresSql(two)),
    pool,
    async hold(write) {
      const { client, commit } = await begin(pool);
      return { result: await doWork(write(postgresSql(pool)), client), commit };
    },
    async lock(statement) {
      const { client, commit } = await begin(pool);
      await client.query(statement);
      return commit;
    },
    async waiting(count) {
      const waiters = async () => {
        const { rows } = await pool.query<{ readonly count: number }>(
          `select count(*)::int as count from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows[0]?.count;
      };
      await expect.poll(waiters).toBe(count);
    },
  };
}

/** A transaction that does not outlive the test. */
async function begin(pool: pg.Pool) {
  const client = await pool.connect();
  let isOpen = true;
  const end = async (how: 'commit' | 'rollback') => {
    if (!isOpen) return;
    isOpen = false;
    await client.query(how);
    client.release();
  };
  onTestFinished(() => end('rollback'));
  await client.query('begin');
  return { client, commit: () => end('commit') };
}
