import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { StreamUnit } from './stream-unit.ts';

/** A file with its contents, for example an address book. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The end of what a ledger has. */
export interface SourcePosition {
  /** The greatest time that it has. */
  readonly time: ConsensusTimestamp;
  /** The greatest instant of its newest units: record files are listed by that in their names. Default: `time`. */
  readonly begin?: ConsensusTimestamp;
  /** Instants of its newest units: a file that follows may be named before them. Default: none are known. */
  readonly recent?: RecentInstants;
  /** Number of the block that ends there, for sources that list by number; null where nobody knows it. */
  readonly blockNumber: bigint | null;
  /** Whether it ends with a native block: record files are then no longer read. */
  readonly isNative: boolean;
}

/** Instants of the newest units of a ledger. */
export interface RecentInstants {
  readonly instants: ReadonlySet<bigint>;
  /** Older ones than this are not among them although the ledger has them. */
  readonly from: ConsensusTimestamp;
}

/** The instant after which a source looks for what a ledger lacks; null: for everything. */
export function listedAfter(position: SourcePosition | null): ConsensusTimestamp | null {
  return position?.recent?.from ?? position?.begin ?? position?.time ?? null;
}

/** The same position with fewer of the newest instants, where each look at them costs something. */
export function withFewerRecent(position: SourcePosition, most: number): SourcePosition {
  const { recent } = position;
  if (recent === undefined || recent.instants.size <= most) return position;
  const instants = [...recent.instants].sort((one, other) => (one < other ? 1 : -1)).slice(0, most);
  const from = consensusTimestamp((instants.at(-1) ?? 0n) - 1n);
  return { ...position, recent: { instants: new Set(instants), from } };
}

/** Whether a file of this instant is for a source one that the ledger has: all but those that may step back. */
export function isPast(instant: ConsensusTimestamp, position: SourcePosition | null): boolean {
  if (position === null) return false;
  const { recent } = position;
  const isBefore = instant <= (position.begin ?? position.time);
  return isBefore && (recent === undefined || instant <= recent.from || recent.instants.has(instant));
}

/** What a source has beyond a position. */
export interface SourceListing<Unit extends StreamUnit = StreamUnit> {
  /** Begins of units at or before the position, as far as they were looked at; ascending. */
  readonly older: readonly ConsensusTimestamp[];
  /** Whether reading a unit twice costs little, as from a disk. Default false. */
  readonly isNear?: boolean;
  /** The newest record files of those, from the last one back, which tell whether the source has this ledger. Default: none. */
  readonly newestOlder?: readonly Unit[];
  /** How many blocks there are up to the position, known by their numbers alone. Default 0. */
  readonly olderBlocks?: number;
  /**
   * The units beyond it in the order of their instants, page by page, and before them what may step back.
   *
   * A page is asked for when the one before is used up: a source may list with a start-after and 1000 names a call,
   * fetch ahead what it has listed, and wait in here for what is still to come. Walking ends early by `return()`.
   */
  readonly pages: AsyncIterable<readonly Unit[]>;
}

/**
 * Where units come from: a folder, a bucket, a node that pushes, another mirror.
 *
 * It may hold state between two listings, such as what it saw growing or which node it asks.
 *
 * @see contracts/streams.md sections 1 and 8
 */
export interface StreamSource<Unit extends StreamUnit = StreamUnit> {
  /** For people and for the stored units. */
  readonly name: string;
  /** The address book at the top of the source; null when there is none. */
  addressBook(): Promise<NamedBytes | null>;
  /**
   * @param after the end of the ledger; null lists everything
   * @param signal ends a source that waits
   * @throws LedgerlensError when the source cannot be read, also while its pages are walked.
   */
  list(after: SourcePosition | null, signal?: AbortSignal): Promise<SourceListing<Unit>>;
  /**
   * Settles when there may be something new, so that nobody has to ask again and again; a source without it is polled.
   *
   * @param signal ends the wait, which then settles at once.
   */
  changed?(signal: AbortSignal): Promise<void>;
  /** How the source stands beyond what it gave; as of its last listing. */
  standing?(): SourceStanding;
  /** Lets go of what it holds between two listings, such as a connection; it is not listed again. */
  close?(): Promise<void>;
}

/** What a source knows of itself and of the network behind it. */
export interface SourceStanding {
  /** The one of several nodes that is in use; null for none, or where there is one alone. */
  readonly node: string | null;
  /** The newest unit that the network has, as far as the source knows. */
  readonly newest: NetworkEnd | null;
  /** For people: what the operator should know although the source works. */
  readonly notes: readonly string[];
}

/** The end of what a network has; members are null where nobody knows them. */
export interface NetworkEnd {
  readonly blockNumber: bigint | null;
  readonly time: ConsensusTimestamp | null;
}

/** A listing that is known at once. */
export async function* onePage<Unit>(units: readonly Unit[]): AsyncGenerator<readonly Unit[]> {
  yield units;
}
