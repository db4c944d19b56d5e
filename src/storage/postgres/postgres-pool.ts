import pg from 'pg';
import { takeTlsParameters } from './postgres-tls.ts';
import { endSilentConnections, type SilenceOptions } from './stalled-connections.ts';

/** Connections at a time; each costs the database a process. */
const CONNECTIONS = 10;
/** Callers that wait for one: more than a busy second's requests would only wait in vain. */
const MAX_WAITING = 1000;
/** Longer than any read of a page; what takes longer has lost its client. */
const STATEMENT_MS = 30_000;
const LOCK_MS = 10_000;
const CONNECT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;
/**
 * Every statement finds its rows by the same index whatever the values, so it is planned once for a connection: to plan it
 * each time takes longer than a page.
 */
const PLANNED_ONCE = '-c plan_cache_mode=force_generic_plan';

interface PoolOptions {
  /** Most connections at a time. Default 10. */
  readonly connections?: number;
  /** Callers that may wait for one; the next is refused as busy. Default 1000. */
  readonly mostWaiting?: number;
  /** What the database shows as the name of who is connected. Default `ledgerlens`. */
  readonly name?: string;
  /** When a connection counts as lost without a word. */
  readonly silence?: Partial<SilenceOptions>;
}

/**
 * Connections of one process to a PostgreSQL database.
 *
 * @param url `postgres://…` with the usual parameters of libpq for TLS (`sslmode`, `sslrootcert`, …).
 * @throws Error when a file that they name cannot be read.
 */
export function openPostgresPool(
  url: string,
  { connections = CONNECTIONS, mostWaiting = MAX_WAITING, name, silence }: PoolOptions = {},
): pg.Pool {
  const pool = new BoundedPool(mostWaiting, {
    ...settings(url, name),
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // An idle connection that the database ends is replaced by the next one that is needed.
  pool.on('error', () => undefined);
  endSilentConnections(pool, { ...silence, connect: () => openPostgresConnection(url, name) });
  return pool;
}

/** One connection, for what belongs to a connection. */
export async function openPostgresConnection(url: string, name?: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...settings(url, name),
    connectionTimeoutMillis: CONNECT_MS,
  });
  await client.connect();
  return client;
}

function settings(url: string, name = 'ledgerlens'): pg.ClientConfig {
  const { connectionString, options } = withoutOptions(url);
  return {
    ...takeTlsParameters(connectionString),
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    options: `${PLANNED_ONCE} ${options}`.trim(),
  };
}

/** The options of a URL, or where it has none those of the environment, as `psql` takes them; they count last. */
function withoutOptions(url: string): { readonly connectionString: string; readonly options: string } {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const options = parameters.get('options') ?? process.env['PGOPTIONS'] ?? '';
  parameters.delete('options');
  // By its name a copy knows a server.
  parameters.delete('application_name');
  return { connectionString: parameters.size === 0 ? address : `${address}?${parameters}`, options };
}

type Connected = Parameters<Exclude<Parameters<pg.Pool['connect']>[0], undefined>>;

/** The database, or this user, has no more connections to give. */
const TOO_MANY = '53300';
/** It is asked for more after this time. */
const CONTENT_MS = 10_000;

/**
 * A pool that refuses whoever comes when too many wait for a connection: the pool itself bounds only how long. When the
 * database has no more to give, it makes do with those it has for a while.
 */
class BoundedPool extends pg.Pool {
  readonly #mostWaiting: number;
  readonly #most: number;

  constructor(mostWaiting: number, config: pg.PoolConfig & { readonly max: number }) {
    super(config);
    this.#mostWaiting = mostWaiting;
    this.#most = config.max;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: (...connected: Connected) => void): void;
  override connect(callback?: (...connected: Connected) => void): unknown {
    if (callback === undefined) {
      return new Promise<pg.PoolClient>((resolve, reject) => {
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)));
      });
    }
    if (this.waitingCount >= this.#mostWaiting) {
      const refusal = Object.assign(new Error('Too many wait for a connection'), { code: 'EAGAIN' });
      return void process.nextTick(callback, refusal, undefined, () => undefined);
    }
    return super.connect((error, client, done) => {
      if (!this.#canMakeDo(error)) return callback(error, client, done);
      this.#makeDo();
      this.connect(callback);
    });
  }

  #canMakeDo(error: Error | undefined): boolean {
    return (error as { readonly code?: string } | undefined)?.code === TOO_MANY && this.totalCount > 0;
  }

  #makeDo(): void {
    const isAlready = this.options.max < this.#most;
    this.options.max = this.totalCount;
    if (isAlready) return;
    setTimeout(() => {
      this.options.max = this.#most;
    }, CONTENT_MS).unref();
  }
}
