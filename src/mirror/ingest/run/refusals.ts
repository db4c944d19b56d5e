import type { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { isIntegrityAlarm } from '../../ledger/integrity-alarm.ts';
import { IngestError, isSourceFault } from '../errors.ts';
import type { RefusedUnit } from '../report/import-report.ts';
import type { IngestState } from '../report/ingest-state.ts';
import type { Absence, StreamUnit } from '../units/stream-unit.ts';
import type { ImporterContext } from './importer.ts';

/** What a refused unit does to the state of a source. */
interface Refusal {
  readonly refused: RefusedUnit;
  readonly state: Pick<IngestState, 'state' | 'gap' | 'error'>;
}

/** Files of a unit arrive one after the other, those of other nodes later still. */
const WAIT_TIMEOUT_MS = 30_000;
/** What a watched source waits for. */
const MAY_STILL_COME: readonly string[] = [
  'consensus_not_reached',
  'record_file_missing',
  'sidecar_missing',
  'nonconsecutive_block',
  // Other nodes are asked for the block first.
  'unsupported_proof',
  // Copies of a mirror behind one address are some seconds apart.
  'inconsistent_source',
];
/** Units are missing, or what is there belongs to another ledger. */
const GAPS: readonly string[] = ['chain_mismatch', 'record_file_missing', 'nonconsecutive_block', 'fork'];

interface WaitingUnit extends RefusedUnit {
  readonly sinceMs: number;
  readonly ledgerEnd: bigint | null;
  readonly isTold: boolean;
}

/** Remembers one refused unit. */
export function createRefusals({
  clock,
  isWatched,
  log,
  rejections,
}: Pick<ImporterContext, 'clock' | 'isWatched' | 'log' | 'rejections'>) {
  let waiting: WaitingUnit | null = null;
  return {
    /** Whether the files of the unit may still be on their way. */
    isRecent: ({ instant }: Pick<StreamUnit, 'instant'>): boolean =>
      clock.now() - Number(instant / 1_000_000n) < WAIT_TIMEOUT_MS,
    /** Whether the unit is the one that was refused last. */
    isWaitingFor: (name: string): boolean => waiting?.name === name,
    /**
     * A refusal is logged once, however often a watched source shows it.
     *
     * @param ledgerEnd end of the last stored unit: while another source moves it, what is missing may still come
     */
    refuse(name: string, error: LedgerlensError, ledgerEnd: bigint | null): Refusal {
      const { code, message } = error;
      const known = waiting?.name === name && waiting.code === code ? waiting : null;
      // A source that is ahead of the others waits for them, however long they take.
      const isHole = code === 'nonconsecutive_block';
      const isSame = known !== null && (!isHole || known.ledgerEnd === ledgerEnd);
      const sinceMs = isSame ? known.sinceMs : clock.now();
      const isEarly = isWatched && MAY_STILL_COME.includes(code) && clock.now() - sinceMs < WAIT_TIMEOUT_MS;
      // Waiting for a sidecar is no more than that: the unit is taken without it in the end.
      const isWorthTelling = code !== 'sidecar_missing' && !(isHole && isEarly);
      if (known?.isTold !== true && isWorthTelling) {
        rejections.add('', code);
        log.warn({ name, code }, `import stopped: ${message}`);
      }
      const isTold = known?.isTold === true || isWorthTelling;
      waiting = { name, code, message, sinceMs, ledgerEnd, isTold };
      const gap = GAPS.includes(code) && !isEarly ? { name, message } : null;
      const stopped = gap === null ? 'failed' : code === 'fork' ? 'fork' : 'gap';
      return {
        refused: { name, code, message },
        state: { state: isEarly ? 'idle' : stopped, gap, error: message },
      };
    },
    /** The source continues. */
    clear(): void {
      waiting = null;
    },
  };
}

/** The unit that stops a source, and what a watched one still waits for. */
export type Refusals = ReturnType<typeof createRefusals>;

/** Errors about a unit end the run with a report; anything else is a fault. */
export function isRefusal(error: unknown): error is LedgerlensError {
  if (isSourceFault(error)) return false;
  return error instanceof IngestError || isIntegrityAlarm(error);
}

/** Remembers the names for as long as the process runs. */
export function createUnprovenUnits({ log, rejections }: Pick<ImporterContext, 'log' | 'rejections'>) {
  const leftOut = new Set<string>();
  return {
    /** Counts and tells it, once. */
    leaveOut(name: string, { reason, rejections: found }: Omit<Absence, 'error'>): void {
      if (leftOut.has(name)) return;
      leftOut.add(name);
      for (const { code, node } of found) rejections.add(node, code);
      log.warn({ name }, reason);
    },
    has: (name: string): boolean => leftOut.has(name),
  };
}

/** Units that nothing proves, or that are not there: nothing waits for them. */
export type UnprovenUnits = ReturnType<typeof createUnprovenUnits>;
