import { nanosNow, systemClock } from '../../../values/clock.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { once } from '../../../values/once.ts';
import { LEDGER_ID_MISSING } from '../../ledger/proof-note.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { emptyLookup } from '../decode/known-entities.ts';
import type { ImportReport } from '../report/import-report.ts';
import { silentLog } from '../report/ingest-log.ts';
import { createSourceState, type IngestState, Rejections } from '../report/ingest-state.ts';
import { type RunParts, runImport } from './import-run.ts';
import type { ImporterContext, ImporterDependencies } from './importer-options.ts';
import { createRefusals, createUnprovenUnits } from './refusals.ts';
import { createRunKeys } from './run-keys.ts';
import { createUnitReader } from './unit-reader.ts';

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
  const { repository, source, log = silentLog, onState } = dependencies;
  const { isWatched = false, clock = systemClock } = dependencies;
  const state = createSourceState(source.name, onState);
  const context: ImporterContext = {
    lookup: emptyLookup,
    options: {},
    gaps: noGaps,
    isOfRecords: false,
    ...dependencies,
    ...{ log, isWatched, clock, state, rejections: new Rejections() },
  };
  const refusals = createRefusals(context);
  const unproven = createUnprovenUnits(context);
  let allCopiesMs = Number.NEGATIVE_INFINITY;

  const runs: RunParts = {
    ...context,
    madeAt: consensusTimestamp(nanosNow(clock)),
    refusals,
    unproven,
    beginKeys: createRunKeys(context),
    reader: createUnitReader({ ...context, refusals, unproven }),
    readsAllCopies() {
      const isDue = !isWatched || clock.now() - allCopiesMs >= ALL_COPIES_MS;
      if (isDue) allCopiesMs = clock.now();
      return isDue;
    },
    ownFile: { name: '' },
    // A source that continues would repeat it with every block.
    warnOfLedgerId: once(() => log.warn({ source: source.name }, LEDGER_ID_MISSING)),
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
