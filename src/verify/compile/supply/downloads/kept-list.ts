import type { Clock } from '../../../../values/clock.ts';
import { CompilerSourceError } from '../../compiler-catalog.ts';

/** A list on a server that many jobs ask for. */
export type KeptList<T> = ReturnType<typeof createKeptList<T>>;

const FAILURE_KEPT_MS = 60_000;
/** All attempts together take minutes; the jobs that wait for them must not keep all others from running. */
const MAX_SHARED_MS = 15_000;

/** Creates a list that nobody has read yet. @param address of the list, for messages. */
export function createKeptList<T>(address: string, read: () => Promise<T>, clock: Clock) {
  let known: { readonly list: T; readonly at: number } | null = null;
  let failed: { readonly error: unknown; readonly at: number } | null = null;
  let reading: { readonly list: Promise<T>; readonly since: number } | null = null;

  const begin = async (): Promise<T> => {
    try {
      const list = await read();
      known = { list, at: clock.now() };
      failed = null;
      return list;
    } catch (error) {
      failed = { error, at: clock.now() };
      throw error;
    } finally {
      reading = null;
    }
  };

  return {
    /** What was read last; null before. */
    get latest(): T | null {
      return known?.list ?? null;
    },
    /**
     * Gives what was read within `maxAgeMs`, else reads it; who asks meanwhile shares the reading.
     *
     * @throws CompilerSourceError when it cannot be read; for a minute the same again without asking the server.
     */
    async get(maxAgeMs: number): Promise<T> {
      const now = clock.now();
      if (known !== null && now - known.at < maxAgeMs) return known.list;
      if (failed !== null && now - failed.at < FAILURE_KEPT_MS) throw failed.error;
      reading ??= { list: begin(), since: now };
      if (now - reading.since <= MAX_SHARED_MS) return reading.list;
      const seconds = Math.floor((now - reading.since) / 1000);
      throw new CompilerSourceError(`${address} has not arrived for ${seconds} s; the request is still open`);
    },
  };
}
