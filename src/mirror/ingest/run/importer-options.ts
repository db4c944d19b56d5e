import type { Clock } from '../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { LedgerGaps } from '../../ledger/upkeep/ledger-gaps.sql.ts';
import type { LedgerLookup } from '../decode/known-entities.ts';
import type { ImportProgress } from '../report/import-report.ts';
import type { IngestLog } from '../report/ingest-log.ts';
import type { IngestState, Rejections, SourceState } from '../report/ingest-state.ts';
import type { ProofOptions } from '../units/ledger-trust.ts';
import type { NamedBytes, StreamSource } from '../units/stream-source.ts';
import type { ConsensusRatio, VerifyMode } from '../units/stream-unit.ts';
import type { LedgerTurns } from './ledger-turns.ts';

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
  /** Tells how long a watched source waits for signatures. Default the system's. */
  readonly clock?: Clock;
}

type Defaulted = 'gaps' | 'lookup' | 'options' | 'log' | 'isWatched' | 'isOfRecords' | 'clock';

/** The same with every default, and what is counted and told of the source: the parts of an importer share it. */
export type ImporterContext = ImporterDependencies &
  Required<Pick<ImporterDependencies, Defaulted>> & {
    readonly state: SourceState;
    readonly rejections: Rejections;
  };
