import { setTimeout as timer } from 'node:timers/promises';
import type { PageFile } from './page-file.ts';

/** The work of keeping a page file up to date, until it is closed. */
export interface FollowedLedger {
  /** Ends after the blocks that are being written and closes the file. */
  close(): Promise<void>;
}

/** Pauses in milliseconds: a look at a ledger that was followed to its end, at a file of another process, between writes. */
export interface FollowPauses {
  readonly lookMs: number;
  readonly elsewhereMs: number;
  readonly writeMs: number;
}

/** At a quarter of a second a deleted or rewritten row is served no longer than the watermark may be old. */
const PAUSES: FollowPauses = { lookMs: 250, elsewhereMs: 2000, writeMs: 2 };

/** Writes what a ledger has and gets, a little at a time so that requests have their turn. */
export function followLedger(
  pageFile: PageFile,
  log: { warn(fields: object, message: string): void },
  pauses: FollowPauses = PAUSES,
): FollowedLedger {
  const stop = new AbortController();
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted && pageFile.state !== 'off') {
      const isBehind = await pageFile.advance();
      const pauseMs =
        pageFile.state === 'elsewhere' ? pauses.elsewhereMs : isBehind ? pauses.writeMs : pauses.lookMs;
      // Rejects when the signal ends it, which the loop sees.
      await timer(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  };
  const running = follow().catch((err: unknown) => {
    // A full or read-only disk, or a database that cannot be read: pages come from the database then.
    log.warn({ err }, 'the page file is off until the next start');
    pageFile.turnOff();
  });
  return {
    async close() {
      stop.abort();
      await running;
      pageFile.close();
    },
  };
}
