import { type Clock, systemClock } from '../../../values/clock.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { once } from '../../../values/once.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import { LEDGER_ID_MISSING } from '../../ledger/proof-note.ts';
import { type LedgerGaps, noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { emptyLookup, type LedgerLookup } from '../decode/known-entities.ts';
import type { ImportProgress, ImportReport } from '../report/import-report.ts';
import { type IngestLog, silentLog } from '../report/ingest-log.ts';
import type { IngestState } from '../report/ingest-state.ts';
import { Rejections } from '../report/rejections.ts';
import { createSourceState } from '../report/source-state.ts';
import type { StreamSource } from '../units/stream-source.ts';
import { type RunParts, runImport } from './import-run.ts';
import type { ImporterOptions } from './importer-options.ts';
import type { LedgerTurns } from './ledger-turns.ts';
import { createRefusals } from './refusals.ts';
import { createRunKeys } from './run-keys.ts';
import { createUnitReader } from './unit-reader.ts';
import { createUnprovenUnits } from './unproven-units.ts';

export interface ImporterDependencies {
  readonly repository: LedgerRepository;
  readonly source: StreamSource;
  /** Gaps that the operator accepted. Default: none. */
  readonly gaps?: Pick<LedgerGaps, 'accepts' | 'covers'>;
  /** Aliases and tokens of the stored ledger. Default: none are known. */
  readonly lookup?: LedgerLookup;
  readonly options?: ImporterOptions;
  readonly log?: IngestLog;
  readonly progress?: (progress: ImportProgress) => void;
  /** Whether `run` is called again and again because the source continues. Default false. */
  readonly isWatched?: boolean;
  /** Gives a watched source its turn once it has units; without it, `run` is called in turn. */
  readonly turns?: LedgerTurns;
  /** Whether the source has nothing but record files, which end with the first native block. Default false. */
  readonly isOfRecords?: boolean;
  /** Called after every change of the state. */
  readonly onState?: (state: IngestState) => void;
  /** Tells how long a watched source waits for signatures. Default the system's. */
  readonly clock?: Clock;
}

const NANOS_PER_MS = 1_000_000n;
/** Between two looks of a watched source at the copies of all nodes of what waits, which may be a thousand files. */
const ALL_COPIES_MS = 30_000;

export interface Importer {
  /**
   * Imports what the source has beyond the last stored unit, each unit in one commit, which units far behind
   * the present share.
   *
   * A unit that is damaged or does not follow ends the run and is named in the report.
   *
   * @throws LedgerlensError when the source or the database cannot be read or written.
   */
  run(signal?: AbortSignal): Promise<ImportReport>;
  /** Brings the state up to date with what others stored. */
  look(): Promise<void>;
  state(): IngestState;
}

/**
 * Carries one source into the ledger.
 *
 * Gives way to other work of the process between units. A watched source is `idle` between runs; what it waits
 * for is tried again at each run.
 *
 * @see contracts/streams.md sections 5 and 11, contracts/mirror-storage.md section 5
 */
export function createImporter(dependencies: ImporterDependencies): Importer {
  const { repository, source, lookup = emptyLookup, options = {}, log = silentLog, progress } = dependencies;
  const { isWatched = false, clock = systemClock, gaps = noGaps, onState, turns } = dependencies;
  const { isOfRecords = false } = dependencies;
  const state = createSourceState(source.name, onState);
  const rejections = new Rejections();
  const refusals = createRefusals({ clock, isWatched, log, rejections });
  const unproven = createUnprovenUnits(rejections, log);
  const beginKeys = createRunKeys({ repository, source, options, log });
  const reader = createUnitReader({
    repository,
    source,
    options,
    gaps,
    isWatched,
    refusals,
    unproven,
    rejections,
    log,
    onNote: (text) => state.note(text),
  });
  let allCopiesMs = Number.NEGATIVE_INFINITY;

  const runs: RunParts = {
    repository,
    source,
    lookup,
    options,
    log,
    clock,
    madeAt: consensusTimestamp(BigInt(clock.now()) * NANOS_PER_MS),
    gaps,
    isWatched,
    isOfRecords,
    state,
    rejections,
    refusals,
    unproven,
    beginKeys,
    reader,
    readsAllCopies() {
      const isDue = !isWatched || clock.now() - allCopiesMs >= ALL_COPIES_MS;
      if (isDue) allCopiesMs = clock.now();
      return isDue;
    },
    ownFile: { name: '' },
    // A source that continues would repeat it with every block.
    warnOfLedgerId: once(() => log.warn({ source: source.name }, LEDGER_ID_MISSING)),
    ...(progress === undefined ? {} : { progress }),
    ...(turns === undefined ? {} : { turns }),
  };

  return {
    async run(signal) {
      // What a watched source waits for stays visible while it looks again.
      if (!isWatched) state.change({ state: 'running', gap: null, error: null });
      try {
        return await runImport(runs, signal);
      } catch (error) {
        state.change({ state: 'failed', error: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    },
    look: async () => state.atUnit(await repository.lastUnit()),
    state: state.current,
  };
}
