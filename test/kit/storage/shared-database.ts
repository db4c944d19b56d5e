import type pg from 'pg';
import { migratePostgres } from '../../../src/storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../../../src/storage/postgres/postgres-pool.ts';
import { postgresSql } from '../../../src/storage/postgres/postgres-sql.ts';
import type { Sql } from '../../../src/storage/sql/sql.ts';
import type { PostgresCluster } from '../../support/postgres.ts';

/** An empty PostgreSQL database that any number of servers of a test have open. */
export interface SharedDatabase {
  /** Opens it as one more server would. */
  openSql(): Sql;
  /** The test's own connections. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export async function openSharedDatabase(cluster: PostgresCluster): Promise<SharedDatabase> {
  const url = await cluster.createDatabase();
  const pools: pg.Pool[] = [];
  const open = (): pg.Pool => {
    const pool = openPostgresPool(url, { connections: 4 });
    pools.push(pool);
    return pool;
  };
  const pool = open();
  await migratePostgres(pool);
  return {
    openSql: () => postgresSql(open()),
    pool,
    async close() {
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}
