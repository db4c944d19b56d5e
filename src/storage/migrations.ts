import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ownFile } from '../own-files.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { inTransaction, type SqliteDatabase } from './sqlite.ts';
import { storageErrorOf } from './sqlite-errors.ts';

/** One numbered file of `migrations/sqlite`. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export interface MigrationState {
  /** Version of the database before anything was applied. */
  readonly from: number;
  /** Version that this build of the product knows. */
  readonly to: number;
  readonly pending: readonly string[];
}

/** Why a database that this build does not serve is refused. */
export const tooNewText = ({ from, to }: Pick<MigrationState, 'from' | 'to'>): string =>
  `The database has schema version ${from}, this build supports ${to}. Start a newer Ledgerlens; if it was made before version 0.1.0, use a new database and import again.`;

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

/** `migrations/sqlite` beside `src` or `dist`. */
const MIGRATIONS_FOLDER = fileURLToPath(ownFile('../migrations/sqlite/'));

/**
 * Reads the numbered files in order.
 *
 * @throws LedgerlensError `migration_numbering` when a name is wrong or a number is missing or doubled.
 */
export function readMigrations(folder: string = MIGRATIONS_FOLDER): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name, index) => {
      const version = Number(FILE_NAME.exec(name)?.[1]);
      if (version !== index + 1) {
        throw new LedgerlensError(
          'migration_numbering',
          `Migration ${name}: expected a name like ${String(index + 1).padStart(4, '0')}-topic.sql`,
        );
      }
      return { version, name, sql: readFileSync(`${folder}/${name}`, 'utf8') };
    });
}

/** Compares the database's `user_version` with the migrations of this build. */
export function migrationState(
  database: SqliteDatabase,
  migrations: readonly Migration[] = readMigrations(),
): MigrationState {
  const from = database.pragma('user_version', { simple: true }) as number;
  const pending = migrations.filter(({ version }) => version > from).map(({ name }) => name);
  return { from, to: migrations.at(-1)?.version ?? 0, pending };
}

/**
 * Applies the missing migrations, each in one transaction of its own together with its number.
 *
 * Safe when two processes start at once: the number is read again under the write lock. A database that
 * is up to date is not locked at all, so a start does not wait for a running import.
 *
 * @param report gets the name of each that this process applied
 * @throws LedgerlensError `database_too_new` when a newer build has migrated the database, `migration_refused` when
 * it takes no writes, for example since another process holds the lock for longer than the connection waits.
 */
export function migrate(
  database: SqliteDatabase,
  migrations: readonly Migration[] = readMigrations(),
  report: (name: string) => void = () => undefined,
): MigrationState {
  const state = migrationState(database, migrations);
  if (state.from > state.to) {
    throw new LedgerlensError('database_too_new', tooNewText(state));
  }
  for (const migration of migrations.filter(({ version }) => version > state.from)) {
    try {
      if (inTransaction(database, () => apply(database, migration))) report(migration.name);
    } catch (error) {
      const reason = storageErrorOf(error)?.reason;
      if (reason === undefined) throw error;
      throw new LedgerlensError(
        'migration_refused',
        `The database must be migrated (${migration.name}), but ${reason}. Fix this and start again.`,
        { cause: error },
      );
    }
  }
  return state;
}

function apply(database: SqliteDatabase, { sql, version }: Migration): boolean {
  // Another process may have done it since the first look.
  if ((database.pragma('user_version', { simple: true }) as number) >= version) return false;
  database.exec(sql);
  database.pragma(`user_version = ${version}`);
  return true;
}
