import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import type { UnitHeader, VerificationLevel } from '../../ledger/rows.ts';
import type { NetworkEnd, SourceStanding } from '../units/stream-source.ts';
import { CAUGHT_UP_SECONDS, type Pace, PaceMeter, secondsBehind, secondsToCatchUp } from './pace.ts';

/** Where the ledger stops although the source continues. */
interface IngestGap {
  /** File that does not follow the last unit. */
  readonly name: string;
  readonly message: string;
}

/** The state of a source before its first run. */
export function idleState(source: string) {
  return {
    source,
    /**
     * `idle` before the run and after an abort; `gap`, `fork` and `failed` leave the server ready to serve what it has.
     * `fork`: the source has another block of a number that the ledger has.
     */
    state: 'idle' as 'idle' | 'running' | 'finished' | 'gap' | 'fork' | 'failed',
    /** Level of the last stored unit; null in an empty ledger. */
    verification: null as VerificationLevel | null,
    /** In words what the proof of that unit showed; null for units without one. */
    proof: null as string | null,
    /** Name of that unit. */
    lastUnit: null as string | null,
    lastConsensusTimestamp: null as ConsensusTimestamp | null,
    /** Number of that unit's block; null where nobody knows it. */
    lastBlock: null as bigint | null,
    gap: null as IngestGap | null,
    /** Reason of `failed`; null otherwise. */
    error: null as string | null,
    /** When this source last gave a unit, milliseconds; null while it gave none since the process started. */
    storedAtMs: null as number | null,
    /** When it was last looked at without a fault, likewise. */
    lookedAtMs: null as number | null,
    /** Units that it gave since the process started. */
    units: 0,
    /** How fast it gives units; null while it gives none. */
    pace: null as Pace | null,
    /** For people: what the operator should know of what was taken from here. */
    notes: [] as readonly string[],
    /** What the source tells of itself and of the network, as far as that can be; null while it has told nothing. */
    standing: null as SourceStanding | null,
    /** Units whose proofs could not be checked although the ledger id is pinned, since the process started. */
    uncheckable: 0,
    /** What did not count since the process started. */
    rejections: [] as readonly RejectionCount[],
  };
}

/**
 * How ingestion stands, for readiness and the status page.
 *
 * @see contracts/streams.md section 15
 */
export type IngestState = Readonly<ReturnType<typeof idleState>>;

/** The state as JSON members; `lagSeconds` is the time since the last stored consensus. */
export function describeIngestState(state: IngestState, nowMs: number): Readonly<Record<string, unknown>> {
  const { lastConsensusTimestamp: last, standing } = state;
  const lagSeconds = lagSecondsOf(state, nowMs);
  return {
    source: state.source,
    state: state.state,
    verification: state.verification,
    ...(state.proof === null ? {} : { proof: state.proof }),
    lastUnit: state.lastUnit,
    lastConsensusTimestamp: last === null ? null : printTimestamp(last),
    lagSeconds,
    gap: state.gap,
    ...(standing === null ? {} : describeStanding(standing, state)),
    ...describePace(state, lagSeconds),
    ...describeNotes([...state.notes, ...(standing?.notes ?? [])]),
    ...(state.error === null ? {} : { error: state.error }),
  };
}

function lagSecondsOf({ lastConsensusTimestamp: last }: IngestState, nowMs: number): number | null {
  return last === null ? null : Math.max(0, Math.floor(nowMs / 1000) - Number(last / 1_000_000_000n));
}

/** Far more than any network makes. */
const MAX_BLOCKS_PER_SECOND = 100n;
/** By which times of blocks may be off. */
const SLACK_SECONDS = 60;

/** Without a newest block that there cannot be yet: a lone node may say anything. */
function believed(standing: SourceStanding, state: IngestState, nowMs: number): SourceStanding {
  const block = standing.newest?.blockNumber ?? null;
  const { lastBlock } = state;
  const lagSeconds = lagSecondsOf(state, nowMs);
  if (block === null || lastBlock === null || lagSeconds === null) return standing;
  if (block <= lastBlock + MAX_BLOCKS_PER_SECOND * BigInt(lagSeconds + SLACK_SECONDS)) return standing;
  const note = `the source claims block ${block}, more than its network can have made since block ${lastBlock}`;
  return { ...standing, newest: null, notes: [...standing.notes, note] };
}

/** What a source over a network tells: how far that is, as of the last look. */
function describeStanding(
  { newest, node }: SourceStanding,
  state: IngestState,
): Readonly<Record<string, unknown>> {
  const network =
    newest === null
      ? null
      : {
          block: newest.blockNumber === null ? null : Number(newest.blockNumber),
          consensusTimestamp: newest.time === null ? null : printTimestamp(newest.time),
          secondsBehind: secondsBehind(newest, state),
          blocksBehind: blocksBehind(newest, state),
        };
  return { network, ...(node === null ? {} : { node }) };
}

/** Nothing for a source that has caught up. */
function describePace(state: IngestState, lagSeconds: number | null): Readonly<Record<string, unknown>> {
  const { pace, standing } = state;
  const isWorking = state.state === 'running' && lagSeconds !== null && lagSeconds >= CAUGHT_UP_SECONDS;
  if (pace === null || !isWorking) return {};
  const told = standing?.newest == null ? null : secondsBehind(standing.newest, state);
  return { pace: { ...pace, secondsToCatchUp: secondsToCatchUp(told ?? lagSeconds, pace) } };
}

function describeNotes(notes: readonly string[]): Readonly<Record<string, unknown>> {
  return notes.length === 0 ? {} : { notes };
}

/** Blocks between the ledger and the network; null where nobody knows. */
function blocksBehind({ blockNumber }: NetworkEnd, { lastBlock }: IngestState): number | null {
  if (blockNumber === null || lastBlock === null) return null;
  return blockNumber <= lastBlock ? 0 : Number(blockNumber - lastBlock);
}

/** Files or units that were refused with one code. */
interface RejectionCount {
  /** Account or id of the node whose file it was; empty for a whole unit and where the layout does not tell. */
  readonly node: string;
  readonly code: string;
  readonly count: number;
}

/** Counts by node and code. @see contracts/streams.md section 15 */
export class Rejections {
  readonly #counts = new Map<string, RejectionCount>();

  add(node: string, code: string): void {
    const key = `${node} ${code}`;
    this.#counts.set(key, { node, code, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  counts(): readonly RejectionCount[] {
    return [...this.#counts.values()];
  }
}

/** @param onState called after every change */
export function createSourceState(source: string, onState?: (state: IngestState) => void) {
  const meter = new PaceMeter();
  let state = idleState(source);
  const change = (changes: Partial<IngestState>): void => {
    state = { ...state, ...changes };
    onState?.(state);
  };
  return {
    change,
    /** The last unit of the ledger; null in an empty one. */
    atUnit: (last: UnitHeader | null): void => change(endOfLedger(last)),
    /** A unit of this source was stored. */
    stored(transactions: number, last: UnitHeader, nowMs: number): void {
      meter.add(transactions, last.consensusEnd, nowMs);
      const units = state.units + 1;
      change({ ...endOfLedger(last), storedAtMs: nowMs, units, pace: meter.current(nowMs) });
    },
    /** What the source tells after a look or a unit; nothing where it tells nothing. */
    tells(standing: SourceStanding | undefined, nowMs: number): void {
      if (standing !== undefined) change({ standing: believed(standing, state, nowMs) });
    },
    /** Told once, however often. */
    note(text: string): void {
      if (!state.notes.includes(text)) change({ notes: [...state.notes, text] });
    },
    current: (): IngestState => state,
  };
}

/** How a source stands, kept up to date while it is imported. */
export type SourceState = ReturnType<typeof createSourceState>;

function endOfLedger(last: UnitHeader | null): Partial<IngestState> {
  return {
    verification: last?.verification ?? null,
    proof: last?.proof ?? null,
    lastUnit: last?.name ?? null,
    lastConsensusTimestamp: last?.consensusEnd ?? null,
    lastBlock: last?.blockNumber ?? null,
  };
}

/** How far the import is that a server begins with. */
export interface FirstImport {
  /** Paths to import, and those of them that are done. */
  readonly paths: number;
  readonly done: number;
  /** The path at work. */
  readonly source: string;
  /** Units that it has given so far, and the newest of the ledger. */
  readonly units: number;
  readonly lastUnit: string | null;
}

/**
 * Null when nothing of it is left to be done: all paths are imported, or one could not be, behind which the others
 * do not begin.
 */
export function firstImport(paths: readonly string[], states: readonly IngestState[]): FirstImport | null {
  for (const [done, source] of paths.entries()) {
    // A folder that is watched as well comes again behind the imports.
    const {
      lastUnit = null,
      state = 'idle',
      units = 0,
    } = states.find((each) => each.source === source) ?? {};
    if (state === 'idle' || state === 'running')
      return { paths: paths.length, done, source, units, lastUnit };
    if (state !== 'finished') return null;
  }
  return null;
}
