import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import type { BlockPart } from '../block-records/read-transactions.ts';

/** One item of a block; all bytes are views of the block as it came. */
export interface BlockItem extends BlockPart {
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

/** The tree under the root into which an item is hashed; extensions have a number, 0 to 7. */
export type Subtree = 'headers' | 'input' | 'output' | 'state' | 'trace' | number;

/** What becomes of an item: hashed, left out of the root, or a reason to refuse the block. */
type ItemKind = { readonly subtree: Subtree } | 'unhashed' | 'unsupported';

const KNOWN: ReadonlyMap<number, ItemKind> = new Map<number, ItemKind>([
  [ITEM.header, { subtree: 'output' }],
  [ITEM.eventHeader, { subtree: 'headers' }],
  [ITEM.roundHeader, { subtree: 'headers' }],
  [ITEM.signedTransaction, { subtree: 'input' }],
  [ITEM.transactionResult, { subtree: 'output' }],
  [ITEM.transactionOutput, { subtree: 'output' }],
  [ITEM.stateChanges, { subtree: 'state' }],
  [ITEM.proof, 'unhashed'],
  [ITEM.recordFile, { subtree: 'output' }],
  [ITEM.traceData, { subtree: 'trace' }],
  [ITEM.footer, 'unhashed'],
]);

/** Kinds of items that later releases may add, by their number mod 20. */
const LATER: readonly ItemKind[] = [
  'unhashed',
  'unsupported',
  'unsupported',
  { subtree: 'headers' },
  { subtree: 'input' },
  { subtree: 'output' },
  { subtree: 'state' },
  { subtree: 'trace' },
  ...Array.from({ length: 8 }, (_, extension): ItemKind => ({ subtree: extension })),
  'unsupported',
  'unsupported',
  'unsupported',
  'unhashed',
];
const FIRST_LATER = LATER.length;

/**
 * The kind of an item with this number.
 *
 * @see contracts/streams.md section 9.2
 */
export function itemKind(field: number): ItemKind {
  const kind = field < FIRST_LATER ? KNOWN.get(field) : LATER[field % FIRST_LATER];
  return kind ?? 'unsupported';
}
