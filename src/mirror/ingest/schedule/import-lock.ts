import { setTimeout as timer } from 'node:timers/promises';
import { IngestError } from '../errors.ts';
import type { Importer } from '../run/importer.ts';

/** The right to import into a ledger, until it is released or the process ends. */
interface ImportLease {
  release(): Promise<void>;
}

/** Lets one import at a time into a ledger, of whatever process or thread. */
export interface ImportLock {
  /** Null while another import has it. */
  take(): Promise<ImportLease | null>;
}

/** For a ledger that nobody else can open. */
export const noImportLock: ImportLock = { take: async () => ({ async release() {} }) };

interface LockOptions {
  readonly lock: ImportLock;
  /** Milliseconds to wait for another import; null: as long as it takes. */
  readonly patienceMs: number | null;
}

const RETRY_MS = 100;

/**
 * Runs an importer only while no other import runs: each walks from the last stored unit on, so that a second one would
 * take what the first one stores for a gap.
 *
 * @throws IngestError `another_import` when patience ends.
 */
export function oneAtATime(importer: Importer, { lock, patienceMs }: LockOptions): Importer {
  const takeLease = async (signal: AbortSignal | undefined): Promise<ImportLease | null> => {
    for (let waitedMs = 0; signal?.aborted !== true; waitedMs += RETRY_MS) {
      const lease = await lock.take();
      if (lease !== null) return lease;
      if (patienceMs !== null && waitedMs >= patienceMs) {
        throw new IngestError(
          'another_import',
          `Another import is running on this database; ${importer.state().source} was not read: ` +
            'try again when it has finished, or pass all paths to one import',
        );
      }
      await importer.look();
      // Rejects when the signal ends it, which the loop sees.
      await timer(RETRY_MS, undefined, { ...(signal === undefined ? {} : { signal }) }).catch(() => {});
    }
    return null;
  };
  return {
    look: () => importer.look(),
    state: () => importer.state(),
    async run(signal) {
      const lease = await takeLease(signal);
      try {
        return await importer.run(signal);
      } finally {
        await lease?.release();
      }
    },
  };
}
