import pg from 'pg';

/** Connections at a time; each costs the database a process. */
const CONNECTIONS = 10;
/** Longer than any read of a page; what takes longer has lost its client. */
const STATEMENT_MS = 30_000;
const LOCK_MS = 10_000;
const CONNECT_MS = 5_000;

/**
 * Connections of one process to a PostgreSQL database.
 *
 * @param url `postgres://…` with the usual parameters of libpq for TLS (`sslmode`, `sslrootcert`, …).
 */
export function openPostgresPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    application_name: 'ledgerlens',
  });
  // An idle connection that the database ends is replaced by the next one that is needed.
  pool.on('error', () => undefined);
  return pool;
}
