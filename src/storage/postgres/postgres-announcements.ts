import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Announcements, Topic } from '../../values/announcements.ts';
import { joinSignals } from '../../values/joined-signal.ts';

/** The channel of LISTEN and NOTIFY; what is told is `topic` or `topic subject`. */
export const CHANNEL = 'ledgerlens';
const RECONNECT_MS = 500;
/** A connection that the network has lost says nothing: it is asked, and has so long to answer. */
const ASK_MS = 15_000;
const SILENT_MS = 5_000;
/** Of an orderly end. */
const END_MS = 1_000;

type Listener = (subject: string | null) => void;

/** Hears announcements on a connection of its own, which is opened again when it is lost. */
export class PostgresAnnouncements implements Announcements {
  readonly #connect: () => Promise<pg.Client>;
  readonly #askMs: number;
  readonly #listeners = new Map<Topic, Set<Listener>>();
  readonly #closing = new AbortController();
  #client: pg.Client | null = null;
  #run: Promise<void> | null = null;

  /**
   * @param connect opens a connection.
   * @param askMs from one question to the next, milliseconds
   */
  constructor(connect: () => Promise<pg.Client>, askMs = ASK_MS) {
    this.#connect = connect;
    this.#askMs = askMs;
  }

  on(topic: Topic, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    this.#run ??= this.#hear();
    return () => listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#client !== null) await endOf(this.#client);
    await this.#run;
  }

  async #hear(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#hearOnce(signal);
      } catch {
        // Told by whatever else uses the database; here the next attempt is all there is to do.
      }
      await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Ends with its connection. */
  async #hearOnce(signal: AbortSignal): Promise<void> {
    const client = await this.#connect();
    this.#client = client;
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    client.on('error', () => undefined);
    client.on('notification', ({ payload = '' }) => this.#tell(payload));
    try {
      if (signal.aborted) return;
      await client.query(`listen ${CHANNEL}`);
      // What was told in between is lost.
      for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null);
      const question = {
        text: 'select 1',
        query_timeout: Math.min(SILENT_MS, this.#askMs),
      } as pg.QueryConfig;
      while (!signal.aborted && (await isOpenFor(this.#askMs, ended, signal))) await client.query(question);
    } finally {
      this.#client = null;
      await endOf(client);
    }
  }

  #tell(payload: string): void {
    const [topic, subject = null] = payload.split(' ');
    for (const listener of this.#listeners.get(topic as Topic) ?? []) listener(subject);
  }
}

async function isOpenFor(ms: number, ended: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const waiting = joinSignals(signal);
  const time = pause(ms, true, { signal: waiting.signal, ref: false });
  const isOpen = await Promise.race([time.catch(() => false), ended.then(() => false)]);
  waiting.end();
  return isOpen;
}

/** One whose network drops packets never hears the good-bye. */
async function endOf(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), pause(END_MS, undefined, { ref: false })]);
}
