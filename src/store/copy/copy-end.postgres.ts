import type pg from 'pg';
import { migratePostgres, postgresMigrationState } from '../../storage/postgres/postgres-migrations.ts';
import { openPostgresConnection, openPostgresPool } from '../../storage/postgres/postgres-pool.ts';
import { postgresSql } from '../../storage/postgres/postgres-sql.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { DatabaseLocation } from '../database-url.ts';
import { createCopyEnd } from './copy-end.sql.ts';
import type { CopyEnd, CopyRole } from './copy-end.ts';
import { refuseOtherSchema } from './refuse-other-schema.ts';

/** As servers and other commands call their connections, and as a copy does. */
const SERVERS = 'ledgerlens';
const NAME = 'ledgerlens copy';
/** One copies into a database at a time. */
const LOCK = 0x6c65_6463n;
const CONNECTIONS = 2;

interface IdentityColumn {
  readonly name: string;
  readonly column: string;
}

/** Opens a database of PostgreSQL for a copy. Servers on it are seen as far as its user may see them. */
export async function openPostgresEnd(
  { connection, url }: DatabaseLocation,
  role: CopyRole,
): Promise<CopyEnd> {
  const address = connection ?? url;
  const lock = await openPostgresConnection(address, NAME);
  // The connection is for its lock alone: when it is lost, so is the database.
  lock.on('error', () => undefined);
  const pool = openPostgresPool(address, { connections: CONNECTIONS, name: NAME });
  try {
    await refuseServers(lock, url);
    if (role === 'to') {
      await takeLock(lock, url);
      await migratePostgres(pool);
    } else {
      refuseOtherSchema(url, await postgresMigrationState(lock));
    }
    return endOf(pool, lock, url);
  } catch (error) {
    await Promise.all([pool.end(), lock.end()]);
    throw error;
  }
}

async function refuseServers(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ readonly count: string }>(
    `select count(*) as count from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [SERVERS],
  );
  if (rows[0]?.count === '0') return;
  throw new LedgerlensError('copy_refused', `${url} is in use: stop the servers that have it open`);
}

async function takeLock(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ readonly taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [LOCK],
  );
  if (rows[0]?.taken === true) return;
  throw new LedgerlensError('copy_refused', `Another process is copying into ${url}`);
}

function endOf(pool: pg.Pool, lock: pg.Client, url: string): CopyEnd {
  const sql = postgresSql(pool);
  const tables = sql.prepare<[string], number>('select 1 from pg_class where oid = to_regclass(?)');
  const identityColumns = async (): Promise<readonly IdentityColumn[]> =>
    (
      await pool.query<IdentityColumn>(
        `select c.relname as name, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
         where a.attidentity <> '' and c.relnamespace = current_schema()::regnamespace`,
      )
    ).rows;
  return createCopyEnd({
    url,
    sql,
    *hasTable(name) {
      return (yield* tables.get(name)) !== undefined;
    },
    async issuedIds() {
      const issued = new Map<string, bigint>();
      for (const { column, name } of await identityColumns()) {
        const { rows } = await pool.query<{ readonly id: string | null }>(
          'select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) as id',
          [name, column],
        );
        if (rows[0]?.id != null) issued.set(name, BigInt(rows[0].id));
      }
      return issued;
    },
    async continueIds(issued) {
      for (const { column, name } of await identityColumns()) {
        const { rows } = await pool.query<{ readonly id: string | null }>(
          `select max(${column}) as id from ${name}`,
        );
        const [stored, given] = [BigInt(rows[0]?.id ?? 0), issued.get(name) ?? 0n];
        const id = stored > given ? stored : given;
        if (id === 0n) continue;
        await pool.query('select setval(pg_get_serial_sequence($1, $2), $3)', [name, column, id]);
      }
    },
    async close() {
      await Promise.all([pool.end(), lock.end()]);
    },
  });
}
