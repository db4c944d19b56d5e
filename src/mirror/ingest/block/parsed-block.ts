import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';

/** One item of a block; all bytes are views of the block as it came. */
export interface BlockItem {
  /** Number of the member that it holds. @see contracts/streams.md section 9.2 */
  readonly field: number;
  /** The member without tag and length. */
  readonly bytes: Uint8Array;
  /** The whole serialized item: what is hashed into the root. */
  readonly leaf: Uint8Array;
}

/** What a block says of itself at its beginning. */
export interface BlockHeader {
  readonly number: bigint;
  readonly timestamp: ConsensusTimestamp;
  /** The serialized `Timestamp`, as it is hashed. */
  readonly timestampBytes: Uint8Array;
  readonly hapiVersion: HapiVersion;
}

/** Release of the network's API. */
export interface HapiVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The roots that a block ends with, 48 bytes each. */
export interface BlockFooter {
  readonly previousRoot: Uint8Array;
  /** Of the tree over the roots of all blocks before it. */
  readonly allBlocksRoot: Uint8Array;
  /** Of the state at its beginning. */
  readonly stateRoot: Uint8Array;
}

/** A block taken apart, before any check of its proof or its neighbours. */
export interface ParsedBlock {
  readonly header: BlockHeader;
  /** All items in their order, but for the footer and the proofs. */
  readonly items: readonly BlockItem[];
  readonly footer: BlockFooter;
  /** Serialized `BlockProof` messages; at least one. */
  readonly proofs: readonly Uint8Array[];
}

/** Numbers of the members of an item that have a meaning here. */
export const ITEM = {
  header: 1,
  eventHeader: 2,
  roundHeader: 3,
  signedTransaction: 4,
  transactionResult: 5,
  transactionOutput: 6,
  stateChanges: 7,
  filtered: 8,
  proof: 9,
  recordFile: 10,
  traceData: 11,
  footer: 12,
  redacted: 19,
} as const;
