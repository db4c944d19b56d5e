import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { type Migration, type MigrationState, readMigrations } from '../migrations.ts';

/** `migrations/postgres` beside `src` or `dist`. */
const FOLDER = fileURLToPath(new URL('../../../migrations/postgres/', import.meta.url));
/** Names the lock under which one process at a time changes the schema: the first bytes of "ledgerlens". */
const LOCK = 0x6c65_6467n;

export const readPostgresMigrations = (): readonly Migration[] => readMigrations(FOLDER);

/** Compares the version of the database with the migrations of this build. */
export async function postgresMigrationState(
  connection: Pick<pg.ClientBase, 'query'>,
  migrations: readonly Migration[] = readPostgresMigrations(),
): Promise<MigrationState> {
  const { rows } = await connection.query<{ version: string | null }>(
    `select case when to_regclass('schema_version') is null then null
       else (xpath('/row/version/text()', query_to_xml('select version from schema_version', true, true, '')))[1]::text
     end as version`,
  );
  const from = Number(rows[0]?.version ?? 0);
  const pending = migrations.filter(({ version }) => version > from).map(({ name }) => name);
  return { from, to: migrations.at(-1)?.version ?? 0, pending };
}

/**
 * Applies the missing migrations, each in a transaction of its own together with its number, one process at a time.
 *
 * @throws LedgerlensError `database_too_new` when a newer build has migrated the database.
 */
export async function migratePostgres(
  pool: pg.Pool,
  migrations: readonly Migration[] = readPostgresMigrations(),
): Promise<MigrationState> {
  const client = await pool.connect();
  try {
    const state = await postgresMigrationState(client, migrations);
    if (state.from > state.to) {
      throw new LedgerlensError(
        'database_too_new',
        `The database has schema version ${state.from}, this build knows ${state.to}. Start a newer Ledgerlens.`,
      );
    }
    for (const migration of migrations.filter(({ version }) => version > state.from)) {
      await apply(client, migration);
    }
    return state;
  } finally {
    client.release();
  }
}

async function apply(client: pg.PoolClient, { sql, version }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    // Another process may have done it since the first look.
    const { from } = await postgresMigrationState(client);
    if (from < version) {
      await client.query(sql);
      await client.query('create table if not exists schema_version (version bigint not null)');
      await client.query('delete from schema_version');
      await client.query('insert into schema_version (version) values ($1)', [version]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
