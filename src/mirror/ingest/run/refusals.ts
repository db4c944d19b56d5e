import type { Clock } from '../../../values/clock.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import type { RefusedUnit } from '../report/import-report.ts';
import type { IngestLog } from '../report/ingest-log.ts';
import type { IngestState } from '../report/ingest-state.ts';
import type { Rejections } from '../report/rejections.ts';
import type { StreamUnit } from '../units/stream-unit.ts';

export interface RefusalsDependencies {
  readonly clock: Clock;
  /** Whether the source continues and is tried again. */
  readonly isWatched: boolean;
  readonly log: Pick<IngestLog, 'warn'>;
  readonly rejections: Rejections;
}

/** What a refused unit does to the state of a source. */
export interface Refusal {
  readonly refused: RefusedUnit;
  readonly state: Pick<IngestState, 'state' | 'gap' | 'error'>;
}

/** The unit that stops a source, and what a watched one still waits for. */
export interface Refusals {
  /** Whether the files of the unit may still be on their way. */
  isRecent(unit: Pick<StreamUnit, 'instant'>): boolean;
  /** Whether the unit is the one that was refused last. */
  isWaitingFor(name: string): boolean;
  /** A refusal is logged once, however often a watched source shows it. */
  refuse(name: string, error: LedgerlensError): Refusal;
  /** The source continues. */
  clear(): void;
}

/** Files of a unit arrive one after the other, those of other nodes later still. */
const PATIENCE_MS = 30_000;
/** What a watched source waits for. */
const MAY_STILL_COME: readonly string[] = [
  'consensus_not_reached',
  'record_file_missing',
  'sidecar_missing',
  // Copies of a mirror behind one address are some seconds apart.
  'inconsistent_source',
];

/** Remembers one refused unit. */
export function createRefusals({ clock, isWatched, log, rejections }: RefusalsDependencies): Refusals {
  let waiting: (RefusedUnit & { readonly sinceMs: number }) | null = null;
  return {
    isRecent: ({ instant }) => clock.now() - Number(instant / 1_000_000n) < PATIENCE_MS,
    isWaitingFor: (name) => waiting?.name === name,
    refuse(name, error) {
      const refused = { name, code: error.code, message: error.message };
      const isKnown = waiting?.name === refused.name && waiting.code === refused.code;
      const sinceMs = isKnown ? (waiting?.sinceMs ?? 0) : clock.now();
      waiting = { ...refused, sinceMs };
      // Waiting for a sidecar is no more than that: the unit is taken without it in the end.
      if (!isKnown && error.code !== 'sidecar_missing') {
        rejections.add('', error.code);
        log.warn({ name, code: error.code }, `import stopped: ${error.message}`);
      }
      const isEarly = isWatched && MAY_STILL_COME.includes(error.code) && clock.now() - sinceMs < PATIENCE_MS;
      const isGap = error.code === 'chain_mismatch' || error.code === 'record_file_missing';
      const gap = isGap && !isEarly ? { name, message: error.message } : null;
      const state = isEarly ? 'idle' : gap !== null ? 'gap' : 'failed';
      return { refused, state: { state, gap, error: error.message } };
    },
    clear() {
      waiting = null;
    },
  };
}

/** Errors about a unit end the run with a report; anything else is a fault. */
export function isRefusal(error: unknown): error is LedgerlensError {
  if (isSourceFault(error)) return false;
  return (
    error instanceof IngestError || (error instanceof LedgerlensError && error.code === 'duplicate_conflict')
  );
}
