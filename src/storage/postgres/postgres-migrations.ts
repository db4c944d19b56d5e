import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { type Migration, type MigrationState, readMigrations } from '../migrations.ts';

/** `migrations/postgres` beside `src` or `dist`. */
const FOLDER = fileURLToPath(new URL('../../../migrations/postgres/', import.meta.url));
/** Names the lock under which one process at a time changes the schema: the first bytes of "ledgerlens". */
const NO_SUCH_TABLE = '42P01';
const LOCK = 0x6c65_6467n;

export const readPostgresMigrations = (): readonly Migration[] => readMigrations(FOLDER);

/**
 * The oldest version whose builds may go on using a database after a migration, as the migration says in a line
 * `-- serves: 7`; without it only builds that know the migration itself.
 */
function servedSince({ sql, version }: Migration): number {
  return Number(/^-- serves: (\d+)$/m.exec(sql)?.[1] ?? version);
}

/** Compares the version of the database with the migrations of this build. */
export async function postgresMigrationState(
  connection: Pick<pg.ClientBase, 'query'>,
  migrations: readonly Migration[] = readPostgresMigrations(),
): Promise<MigrationState> {
  const [row] = await schemaVersion(connection);
  const from = Number(row?.version ?? 0);
  const pending = migrations.filter(({ version }) => version > from).map(({ name }) => name);
  return { from, to: migrations.at(-1)?.version ?? 0, pending };
}

async function schemaVersion(
  connection: Pick<pg.ClientBase, 'query'>,
): Promise<readonly { readonly version: string; readonly serves: string }[]> {
  try {
    return (await connection.query('select version, serves from schema_version')).rows;
  } catch (error) {
    if ((error as { readonly code?: string }).code === NO_SUCH_TABLE) return [];
    throw error;
  }
}

/**
 * Applies the missing migrations, each in a transaction of its own together with its number, one process at a time.
 *
 * A newer build may have migrated it to a version that serves this one as well, as in a rolling upgrade.
 *
 * @throws LedgerlensError `database_too_new` when the version of a newer build does not.
 */
export async function migratePostgres(
  pool: pg.Pool,
  migrations: readonly Migration[] = readPostgresMigrations(),
): Promise<MigrationState> {
  const client = await pool.connect();
  try {
    const state = await postgresMigrationState(client, migrations);
    const [row] = await schemaVersion(client);
    if (Number(row?.serves ?? 0) > state.to) {
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

async function apply(client: pg.PoolClient, migration: Migration): Promise<void> {
  const { sql, version } = migration;
  await client.query('begin');
  try {
    // Others wait for as long as it takes, and their reads of what is there go on.
    await client.query('set local lock_timeout = 0; set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists schema_version (version bigint not null, serves bigint not null)',
    );
    // Another process may have done it since the first look.
    const { from } = await postgresMigrationState(client);
    if (from < version) {
      await client.query(sql);
      await client.query('delete from schema_version');
      await client.query('insert into schema_version (version, serves) values ($1, $2)', [
        version,
        servedSince(migration),
      ]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
