import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { VerificationLevel } from '../../ledger/rows.ts';
import type { RejectionCount } from './rejections.ts';

/** Where the ledger stops although the source continues. */
export interface IngestGap {
  /** File that does not follow the last unit. */
  readonly name: string;
  readonly message: string;
}

/**
 * How ingestion stands, for readiness and the status page.
 *
 * @see contracts/streams.md section 15
 */
export interface IngestState {
  readonly source: string;
  /** `idle` before the run and after an abort; `gap` and `failed` leave the server ready to serve what it has. */
  readonly state: 'idle' | 'running' | 'finished' | 'gap' | 'failed';
  /** Level of the last stored unit; null in an empty ledger. */
  readonly verification: VerificationLevel | null;
  /** Name of that unit. */
  readonly lastUnit: string | null;
  readonly lastConsensusTimestamp: ConsensusTimestamp | null;
  readonly gap: IngestGap | null;
  /** Reason of `failed`; null otherwise. */
  readonly error: string | null;
  /** What did not count since the process started. */
  readonly rejections: readonly RejectionCount[];
}

/** The state of a source before its first run. */
export function idleState(source: string): IngestState {
  return {
    source,
    state: 'idle',
    verification: null,
    lastUnit: null,
    lastConsensusTimestamp: null,
    gap: null,
    error: null,
    rejections: [],
  };
}

/** The state as JSON members; `lagSeconds` is the time since the last stored consensus. */
export function describeIngestState(state: IngestState, nowMs: number): Readonly<Record<string, unknown>> {
  const last = state.lastConsensusTimestamp;
  return {
    source: state.source,
    state: state.state,
    verification: state.verification,
    lastUnit: state.lastUnit,
    lastConsensusTimestamp: last === null ? null : printTimestamp(last),
    lagSeconds: last === null ? null : Math.max(0, Math.floor(nowMs / 1000) - Number(last / 1_000_000_000n)),
    gap: state.gap,
    ...(state.error === null ? {} : { error: state.error }),
  };
}
