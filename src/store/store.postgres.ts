import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import { readImportLease } from '../mirror/ingest/schedule/import-lease-state.sql.ts';
import { createPostgresMirrorStore } from '../mirror/mirror-store.postgres.ts';
import { createStatusStore, statusWrites } from '../status/status-store.sql.ts';
import { createDatabaseHealth } from '../storage/database-health.sql.ts';
import { healthWrites } from '../storage/health-writes.sql.ts';
import { DatabaseClock, NOW_COLUMN } from '../storage/postgres/database-clock.ts';
import { PostgresAnnouncements } from '../storage/postgres/postgres-announcements.ts';
import {
  migratePostgres,
  postgresMigrationState,
  readPostgresMigrations,
  servesBuild,
} from '../storage/postgres/postgres-migrations.ts';
import { openPostgresConnection, openPostgresPool } from '../storage/postgres/postgres-pool.ts';
import { PostgresPulse, type PulseParts } from '../storage/postgres/postgres-pulse.ts';
import { postgresSql } from '../storage/postgres/postgres-sql.ts';
import { tlsFaultOf } from '../storage/postgres/postgres-tls.ts';
import { createPostgresWriter } from '../storage/postgres/postgres-writer.ts';
import { storageErrorCounts, withStorageErrors } from '../storage/with-storage-errors.ts';
import { WORKING_WRITES } from '../storage/write-state.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { once } from '../values/once.ts';
import { jobWrites } from '../verify/jobs/queue/job-writes.sql.ts';
import { createVerifyStore } from '../verify/verify-store.sql.ts';
import { openPostgresEnd } from './copy/copy-end.postgres.ts';
import { COPY_PROGRESS, incompleteCopy } from './copy/incomplete-copy.ts';
import type { DatabaseLocation } from './database-url.ts';
import { logMigration } from './log-migration.ts';
import type { Backend } from './open-store.ts';
import type { Store, StoreConfig } from './store.ts';

/** Connections of a thread that imports: one commits, one looks. */
const IMPORT_CONNECTIONS = 3;

const SILENT = { info() {}, warn() {} };

/** A database of PostgreSQL, or of a cluster that speaks its protocol. */
export const postgresBackend: Omit<Backend, 'missing' | 'blockingMigrations'> = {
  async open(config, { isServing = false, log }) {
    const pool = await usable(config.database, async () => openPostgresPool(connectionOf(config.database)));
    try {
      await usable(config.database, () => migratePostgres(pool, readPostgresMigrations(), logMigration(log)));
      await refuseIncompleteCopy(pool, config.database.url);
      const clock = new DatabaseClock();
      await clock.setBy(() => pool.query(`select ${NOW_COLUMN}`));
      return createPostgresStore(pool, config, clock, isServing ? pulseOf(pool, clock, log) : null);
    } catch (error) {
      await pool.end();
      throw error;
    }
  },
  async openShared({ config }) {
    const pool = openPostgresPool(connectionOf(config.database), { connections: IMPORT_CONNECTIONS });
    // What it finds is told by the thread that answers.
    const clock = new DatabaseClock();
    return createPostgresStore(pool, config, clock, pulseOf(pool, clock, SILENT));
  },
  migrate: (location) => withPool(location, (pool) => migratePostgres(pool)),
  async backUp() {
    throw new LedgerlensError(
      'usage',
      'Back up a PostgreSQL database with its own tools (pg_dump, or snapshots of its provider), or with "ledgerlens copy" to SQLite',
    );
  },
  openEnd: (location, role) => usable(location, () => openPostgresEnd(location, role)),
  examine: (location, look, home) =>
    withPool(location, async (pool) => {
      await refuseIncompleteCopy(pool, location.url);
      const schema = await postgresMigrationState(pool);
      const isUsable = schema.pending.length === 0 && (await servesBuild(pool, schema.to));
      const mirror = isUsable ? createPostgresMirrorStore(postgresSql(pool), processName(), home) : null;
      // What a page of the database is worth its server checks; it answers.
      return look({ integrity: () => 'ok', schema, mirror });
    }),
};

function createPostgresStore(
  pool: pg.Pool,
  config: StoreConfig,
  clock: DatabaseClock,
  pulse: PostgresPulse | null,
): Store {
  const sql = postgresSql(pool, { refusal: () => pulse?.refusal ?? null });
  const connection = connectionOf(config.database);
  const announcements = new PostgresAnnouncements(() => openPostgresConnection(connection));
  const verify = once(() => createVerifyStore(sql, createPostgresWriter(sql, jobWrites(sql))));
  const status = once(() => createStatusStore(sql, createPostgresWriter(sql, statusWrites(sql))));
  const mirror = once(() => createPostgresMirrorStore(sql, processName(), config.mirror));
  const health = withStorageErrors(createDatabaseHealth(sql, createPostgresWriter(sql, healthWrites(sql))));
  const close = once(async () => {
    pulse?.close();
    await announcements.close();
    await pool.end();
  });
  return {
    get verify() {
      return verify();
    },
    get status() {
      return status();
    },
    get mirror() {
      return mirror();
    },
    announcements,
    clock,
    snapshot: null,
    maintenance: {
      health,
      writes: () => pulse?.state ?? WORKING_WRITES,
      // Its server checks what it reads, and ends statements with an error of their own.
      damage: () => null,
      // Its disk is somewhere else.
      freeShare: async () => null,
      async size() {
        const { rows } = await pool.query<{ readonly bytes: string }>(
          'select pg_database_size(current_database()) as bytes',
        );
        return { bytes: Number(rows[0]?.bytes ?? 0), freeBytes: 0, logBytes: 0 };
      },
      errors: storageErrorCounts,
      connections: () => ({
        busy: pool.totalCount - pool.idleCount,
        idle: pool.idleCount,
        most: pool.options.max,
        waiting: pool.waitingCount,
      }),
      ownClock: () => clock,
      importLease: () => readImportLease(sql),
      shared: { config, identity: null },
    },
    close,
  };
}

function pulseOf(pool: pg.Pool, clock: DatabaseClock, log: PulseParts['log']): PostgresPulse {
  return new PostgresPulse({ pool, clock, log, schemaVersion: readPostgresMigrations().length });
}

async function withPool<T>(location: DatabaseLocation, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  return usable(location, async () => {
    const pool = openPostgresPool(connectionOf(location), { connections: 1 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  });
}

/** Says of a database that cannot be used which one it is. */
async function usable<T>(location: DatabaseLocation, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof LedgerlensError) throw cause;
    const reason = tlsFaultOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new LedgerlensError('database_unusable', `The database ${location.url} cannot be used: ${reason}`, {
      cause,
    });
  }
}

/** As no other process is named. */
function processName(): string {
  return `${hostname()} ${process.pid} ${randomUUID()}`;
}

function connectionOf({ connection, url }: DatabaseLocation): string {
  return connection ?? url;
}

/** @throws LedgerlensError `incomplete_copy` */
async function refuseIncompleteCopy(pool: pg.Pool, url: string): Promise<void> {
  const { rows } = await pool.query<{ readonly found: string | null }>('select to_regclass($1) as found', [
    COPY_PROGRESS,
  ]);
  if (rows[0]?.found != null) throw incompleteCopy(url);
}
