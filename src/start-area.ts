import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Area } from './http/area.ts';
import { isStorageError } from './values/storage-errors.ts';

const AGAIN_MS = 1000;

/** How the start of an area waits, and what it writes. */
interface AreaStart {
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Starts the work of an area, also when the database is gone meanwhile: a server that listens stays up, not ready, and
 * goes on as soon as the database is back.
 */
export async function startArea(
  area: Pick<Area, 'name' | 'start'>,
  { log, signal, wait = pauseWithin }: AreaStart,
) {
  let told = '';
  while (!signal.aborted) {
    try {
      await area.start();
      if (told !== '') log.info({ area: area.name }, 'the area has started, the database is back');
      return;
    } catch (err) {
      if (!isStorageError(err)) throw err;
      if (told !== err.reason)
        log.warn({ err, area: area.name }, 'the area starts as soon as the database can be used');
      told = err.reason;
      await wait(AGAIN_MS, signal);
    }
  }
}

async function pauseWithin(ms: number, signal: AbortSignal): Promise<void> {
  // A stop ends the pause; the loop sees it.
  await pause(ms, undefined, { signal }).catch(() => {});
}
