import { setTimeout as timer } from 'node:timers/promises';
import type { IngestLog } from '../report/ingest-log.ts';
import type { Importer } from '../run/importer.ts';

/** Waits; ends early, without an error, when the signal is given. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface WatchOptions {
  readonly periodMs: number;
  readonly signal: AbortSignal;
  readonly log: IngestLog & { error(fields: object, message: string): void };
  readonly pause?: Pause;
}

/**
 * Runs the importers of watched sources in turn until the signal is given.
 *
 * A source that cannot be read shows it in its state, is logged once per reason and looked at again.
 *
 * @see contracts/streams.md section 11
 */
export async function watchSources(importers: readonly Importer[], options: WatchOptions): Promise<void> {
  const { log, pause = systemPause, periodMs, signal } = options;
  const reasons = new Map<Importer, string>();
  while (importers.length > 0 && !signal.aborted) {
    for (const importer of importers) {
      if (signal.aborted) return;
      try {
        await importer.run(signal);
        reasons.delete(importer);
      } catch (err) {
        const reason = err instanceof Error ? err.message : String(err);
        if (reasons.get(importer) !== reason) {
          log.error({ err }, `watching ${importer.state().source} failed; looking again: ${reason}`);
        }
        reasons.set(importer, reason);
      }
    }
    await pause(periodMs, signal);
  }
}

/** A timer of the operating system. */
export const systemPause: Pause = async (milliseconds, signal) => {
  try {
    await timer(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
