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
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Starts the work of an area, also when the database is gone meanwhile: a server that listens stays up, not ready, and
 * goes on as soon as the database is back.
 */
export async function startArea(
  area: Pick<Area, 'name' | 'start'>,
  { log, signal, wait = pause }: AreaStart,
) {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await area.start();
      if (attempt > 0) log.info({ area: area.name }, 'the area has started, the database is back');
      return;
    } catch (err) {
      if (!isStorageError(err)) throw err;
      if (attempt === 0)
        log.warn({ err, area: area.name }, 'the area starts as soon as the database can be used');
      await wait(AGAIN_MS);
    }
  }
}
