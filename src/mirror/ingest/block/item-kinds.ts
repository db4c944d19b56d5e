import { ITEM } from './parsed-block.ts';

/** The tree under the root into which an item is hashed; extensions have a number, 0 to 7. */
export type Subtree = 'headers' | 'input' | 'output' | 'state' | 'trace' | number;

/** What becomes of an item: hashed, left out of the root, or a reason to refuse the block. */
export type ItemKind = { readonly subtree: Subtree } | 'unhashed' | 'unsupported';

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
