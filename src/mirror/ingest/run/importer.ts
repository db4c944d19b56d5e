import { type Clock, nanosNow, systemClock } from '../../../values/clock.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { once } from '../../../values/once.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import { LEDGER_ID_MISSING } from '../../ledger/proof-note.ts';
import type { LedgerGaps } from '../../ledger/upkeep/ledger-gaps.sql.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { emptyLookup, type LedgerLookup } from '../decode/known-entities.ts';
import type { ImportProgress, ImportReport } from '../report/import-report.ts';
import { type IngestLog, silentLog } from '../report/ingest-log.ts';
import { createSourceState, type IngestState, Rejections, type SourceState } from '../report/ingest-state.ts';
import type { ProofOptions } from '../units/ledger-trust.ts';
import type { NamedBytes, StreamSource } from '../units/stream-source.ts';
import type { ConsensusRatio, VerifyMode } from '../units/stream-unit.ts';
import { type RunParts, runImport } from './import-run.ts';
import type { LedgerTurns } from './ledger-turns.ts';
import { createRefusals, createUnprovenUnits } from './refusals.ts';
import { createRunKeys } from './run-keys.ts';
import { createUnitReader } from './unit-reader.ts';

export interface ImporterOptions {
  /** What the source must prove. Default `signatures`. */
  readonly verify?: VerifyMode;
  /** Share of all nodes, by stake when known, that must agree. Default 1/3; 0 needs one signature. */
  readonly consensusRatio?: ConsensusRatio;
  /** Reads the address book that the operator vouches for, used while the ledger has none. Default null: the source's. */
  readonly addressBook?: (() => Promise<NamedBytes>) | null;
  /**
   * Whether units far behind the present share a commit, which is faster but holds the write lock for some tenths of a
   * second. A server has other writers: they should wait for single commits alone. Default true.
   */
  readonly sharesCommits?: boolean;
  /**
   * Begin of the first unit to import, nanoseconds; a ledger that is further continues where it is. `now` is the time at
   * which an importer of a watched source is made, for an empty ledger; it means nothing elsewhere. Default: all.
   */
  readonly start?: ConsensusTimestamp | 'now' | null;
  /** Units that begin later are left; a source that has reached it is finished. Default: none. */
  readonly end?: ConsensusTimestamp | null;
  /** What the operator fixes about block proofs. Default: nothing is pinned, and generation 1 gives `chain`. */
  readonly proofs?: ProofOptions;
  /** Shard of the network's system files. Default 0n. */
  readonly shard?: bigint;
  /** Realm of the network's system files. Default 0n. */
  readonly realm?: bigint;
}

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
  /** How long a watched source waits for signatures. Default the system's. */
  readonly clock?: Clock;
}

type Defaulted = 'gaps' | 'lookup' | 'options' | 'log' | 'isWatched' | 'isOfRecords' | 'clock';

/** The same with every default, and what is counted and told of the source: the parts of an importer share it. */
export type ImporterContext = ImporterDependencies &
  Required<Pick<ImporterDependencies, Defaulted>> & {
    readonly state: SourceState;
    readonly rejections: Rejections;
  };

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
