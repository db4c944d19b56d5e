import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isAnswer } from './postgres-errors.ts';

const LOOK_MS = 1_000;
const ARRIVAL_MS = 100;
/** Most statements are answered in milliseconds. */
const SILENT_MS = 5_000;
/** What the database itself would have ended by then. */
const MAX_MS = 35_000;

/** What of pg's client its type declarations leave out. */
interface Wire {
  readonly processID: number | null;
  readonly connection: { readonly stream: Socket };
  /** The one whose answer is awaited. */
  _getActiveQuery(): object | null;
}

/** A connection in use. */
interface Use {
  /** How many bytes had come when it was last looked at, and since when no more have. */
  bytes: number;
  since: number;
  /** When the database last said that it works for it. */
  vouchedAt: number;
}

export interface SilenceOptions {
  /** Opens a connection beside those of the pool. */
  readonly connect: () => Promise<pg.Client>;
  /** Without an answer for so long it is asked whether there will be one, milliseconds. Default 5000. */
  readonly silentMs?: number;
  /** The same while nobody can be asked. Default 35 000. */
  readonly longestMs?: number;
  /** Milliseconds from one look to the next. Default 1000. */
  readonly lookMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * Ends connections of a pool that wait for an answer that will never come: a network that drops packets, a host that is
 * gone and a failover without a word leave them open, and with them whoever waits.
 *
 * A statement may take its time: a connection stays when the database, asked on another one, works for it. It ends by
 * itself with the pool.
 *
 * @see docs/adr/0008-postgresql.md
 */
export function endSilentConnections(
  pool: pg.Pool,
  {
    connect,
    silentMs = SILENT_MS,
    longestMs = MAX_MS,
    lookMs = LOOK_MS,
    now = () => performance.now(),
  }: SilenceOptions,
): void {
  const uses = new Map<pg.PoolClient, Use>();
  pool.on('acquire', (client) => {
    uses.set(client, { bytes: bytesOf(client), since: now(), vouchedAt: Number.NEGATIVE_INFINITY });
  });
  pool.on('release', (_, client) => void uses.delete(client));
  pool.on('remove', (client) => void uses.delete(client));

  const silentOnes = (): readonly (readonly [pg.PoolClient, Use])[] =>
    [...uses].filter(([client, use]) => {
      const bytes = bytesOf(client);
      if (bytes !== use.bytes) Object.assign(use, { bytes, since: now() });
      return now() - Math.max(use.since, use.vouchedAt) >= silentMs;
    });

  const look = async (): Promise<void> => {
    const silent = silentOnes();
    if (silent.length === 0) return;
    const found = await busyProcesses(connect, silentMs);
    // An answer may be on its way.
    await pause(ARRIVAL_MS);
    let ended = 0;
    for (const [client, use] of silent) {
      // It may have been given back meanwhile, and taken again.
      if (uses.get(client) !== use || bytesOf(client) !== use.bytes) continue;
      if (found === null ? now() - use.since < longestMs : found === 'any' || isKnownTo(found, client)) {
        if (found !== null) use.vouchedAt = now();
        continue;
      }
      cut(client);
      ended += 1;
    }
    if (ended > 0) await dropIdle(pool);
  };

  let isLooking = false;
  const timer = setInterval(() => {
    if (pool.ending) clearInterval(timer);
    if (isLooking || pool.ending) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, lookMs);
  timer.unref();
}

/**
 * What this user's processes of the database do that are not idle, by number.
 *
 * @returns null when the database cannot be asked; `any` when something between it and us gives its processes other numbers
 */
async function busyProcesses(
  connect: () => Promise<pg.Client>,
  limitMs: number,
): Promise<ReadonlyMap<number, string> | 'any' | null> {
  let client: pg.Client | null = null;
  try {
    client = await connect();
    client.on('error', () => undefined);
    const { rows } = await client.query<{
      readonly pid: number;
      readonly state: string;
      readonly own: number;
    }>({
      text: `select pid, state, pg_backend_pid() as own from pg_stat_activity
             where usename = current_user and state <> 'idle'`,
      query_timeout: limitMs,
    } as pg.QueryConfig);
    const isOurs = rows[0]?.own === (client as unknown as Wire).processID;
    return isOurs ? new Map(rows.map(({ pid, state }) => [pid, state])) : 'any';
  } catch (error) {
    // It answers: whatever it refuses now, it has not gone.
    return isAnswer(error) ? 'any' : null;
  } finally {
    void client?.end().catch(() => undefined);
  }
}

/**
 * Whether the database is where its client believes it to be: at work, or waiting for the next statement of a transaction,
 * for which it has a limit of its own.
 */
function isKnownTo(busy: ReadonlyMap<number, string>, client: pg.PoolClient): boolean {
  const { processID, _getActiveQuery: awaited } = client as unknown as Wire;
  const state = busy.get(processID ?? 0);
  return state === 'active' || (state !== undefined && awaited.call(client) === null);
}

/** Those that nobody uses went silent with the others. */
async function dropIdle(pool: pg.Pool): Promise<void> {
  for (let count = pool.idleCount; count > 0 && pool.idleCount > 0 && !pool.ending; count -= 1) {
    // Somebody else may have taken the last one: then there is none to drop, and whoever opens another one is told.
    const client = await pool.connect().catch(() => null);
    if (client === null) return;
    cut(client);
    client.release(true);
  }
}

/** Without a word: nobody would hear it. Whoever waits for an answer is told that the connection is lost. */
function cut(client: pg.ClientBase): void {
  (client as unknown as Wire).connection.stream.destroy();
}

function bytesOf(client: pg.ClientBase): number {
  return (client as unknown as Wire).connection.stream.bytesRead;
}
