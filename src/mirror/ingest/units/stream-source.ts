import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { StreamUnit } from './stream-unit.ts';

/** A file with its contents, for example an address book. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The end of what a ledger has. */
export interface SourcePosition {
  readonly time: ConsensusTimestamp;
  /** Number of the block that ends there, for sources that list by number; null where nobody knows it. */
  readonly blockNumber: bigint | null;
}

/** What a source has beyond a position. */
export interface SourceListing<Unit extends StreamUnit = StreamUnit> {
  /** Begins of units at or before the position, as far as they were looked at; ascending. */
  readonly older: readonly ConsensusTimestamp[];
  /**
   * The units beyond it in the order of time, page by page.
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
}

/** A listing that is known at once. */
export async function* onePage<Unit>(units: readonly Unit[]): AsyncGenerator<readonly Unit[]> {
  yield units;
}
