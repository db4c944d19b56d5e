import type pg from 'pg';
import { migratePostgres } from '../../src/storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../../src/storage/postgres/postgres-pool.ts';
import { postgresSql, statementText } from '../../src/storage/postgres/postgres-sql.ts';
import { preparesBy, type Sql } from '../../src/storage/sql/sql.ts';
import type { PostgresCluster } from './postgres.ts';

/**
 * A migrated database with so many rows, and statistics of them.
 *
 * @param fill SQL in which `from rows i` stands for the numbers from 1 on
 */
export async function openFilled(cluster: PostgresCluster, fill: string, rows: number): Promise<pg.Pool> {
  const pool = openPostgresPool(await cluster.createDatabase());
  await migratePostgres(pool);
  await pool.query(fill.replaceAll('from rows i', `from generate_series(1, ${rows}) as rows(i)`));
  await pool.query('analyze');
  return pool;
}

/** Of every statement that a repository prepares when it is made, as PostgreSQL gets it. */
export function preparedTexts(
  pool: pg.Pool,
  create: (sql: Sql, ...others: never[]) => unknown,
): readonly string[] {
  const texts: string[] = [];
  const sql = postgresSql(pool);
  create({
    ...sql,
    ...preparesBy((text) => {
      texts.push(statementText(text).text);
      return sql.prepare(text);
    }),
  });
  return texts;
}

/** How a statement finds its rows whatever the values, as it is planned after the first few times. */
export async function planOf(pool: pg.Pool, text: string): Promise<string> {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const values = Array.from({ length: Math.max(0, ...numbers) }, () => 'null').join(', ');
  const client = await pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare planned as ${text}`);
    const { rows } = await client.query<{ readonly 'QUERY PLAN': string }>(
      `explain execute planned${values === '' ? '' : `(${values})`}`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    client.release(true);
  }
}
