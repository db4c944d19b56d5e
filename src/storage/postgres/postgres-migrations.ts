import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { ownFile } from '../../own-files.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { type Migration, type MigrationState, readMigrations, tooNewText } from '../migrations.ts';
import { withConnection } from './with-connection.ts';

/** `migrations/postgres` beside `src` or `dist`. */
const FOLDER = fileURLToPath(ownFile('../migrations/postgres/'));
const NO_SUCH_TABLE = '42P01';
/** Names the lock under which one process at a time changes the schema: the first bytes of "ledgerlens". */
const LOCK = 0x6c65_6467n;
/** Who waits for a lock makes all others wait behind it, so that none waits for long: theirs ends after ten seconds. */
const TABLE_LOCK_MS = 3_000;
/** A lock was not to be had in time, or others waited for its locks meanwhile. */
const IN_EACH_OTHERS_WAY = ['55P03', '40P01'];
/**
 * Cancels a long statement once the process that migrates is gone, whose successor would wait for it. Servers before 14,
 * and some systems, do not have it.
 */
const NOTICE_LOSS =
  'do $$ begin set local client_connection_check_interval = 1000; exception when others then end $$';
/** Others hold a table for half a minute at most. */
const MAX_TRIES = 100;

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

/** Whether a build that knows this version may use the database: newer builds have only added to it since. */
export async function servesBuild(
  connection: Pick<pg.ClientBase, 'query'>,
  version: number,
): Promise<boolean> {
  const [row] = await schemaVersion(connection);
  return Number(row?.serves ?? 0) <= version;
}

/**
 * Applies the missing migrations, each in a transaction of its own together with its number, one process at a time.
 *
 * A newer build may have migrated it to a version that serves this one as well, as in a rolling upgrade.
 *
 * @param report gets the name of each that this process applied
 * @throws LedgerlensError `database_too_new` when the version of a newer build does not.
 */
export async function migratePostgres(
  pool: pg.Pool,
  migrations: readonly Migration[] = readPostgresMigrations(),
  report: (name: string) => void = () => undefined,
): Promise<MigrationState> {
  return withConnection(pool, async (client) => {
    const state = await postgresMigrationState(client, migrations);
    if (!(await servesBuild(client, state.to))) {
      throw new LedgerlensError('database_too_new', tooNewText(state));
    }
    for (const migration of migrations.filter(({ version }) => version > state.from)) {
      if (await apply(client, migration)) report(migration.name);
    }
    return state;
  });
}

/** Again and again while others hold its tables for long; in between their reads and writes go on. */
async function apply(client: pg.PoolClient, migration: Migration): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToApply(client, migration);
    } catch (error) {
      const { code = '' } = error as { readonly code?: string };
      if (!IN_EACH_OTHERS_WAY.includes(code) || tries === MAX_TRIES) throw error;
    }
  }
}

async function tryToApply(client: pg.PoolClient, migration: Migration): Promise<boolean> {
  const { sql, version } = migration;
  await client.query('begin');
  try {
    // Others that migrate wait for as long as it takes.
    await client.query(`set local lock_timeout = 0; set local statement_timeout = 0; ${NOTICE_LOSS}`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists schema_version (version bigint not null, serves bigint not null)',
    );
    // Another process may have done it since the first look.
    const { from } = await postgresMigrationState(client);
    if (from < version) {
      await client.query(`set local lock_timeout = ${TABLE_LOCK_MS}`);
      await client.query(sql);
      // Whom an earlier migration has left behind no later one serves.
      const serves = Math.max(servedSince(migration), Number((await schemaVersion(client))[0]?.serves ?? 0));
      await client.query('delete from schema_version');
      await client.query('insert into schema_version (version, serves) values ($1, $2)', [version, serves]);
    }
    await client.query('commit');
    return from < version;
  } catch (error) {
    // When that fails the connection is lost, and the transaction with it.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
