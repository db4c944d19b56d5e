import { EMPTY_TREE, leafHash, nodeHash, oneChildHash, rootOfLeaves } from './hash-tree.ts';
import { itemKind, type ParsedBlock, type Subtree } from './parsed-block.ts';

/** How many places the tree under the root has: 8 in releases up to 0.73, else 16. */
export type RootForm = 16 | 8;

/** The root of a block in each form that its items allow. */
export interface BlockRoots {
  readonly 16: Uint8Array;
  /** Null when it has items for which the smaller tree has no place. */
  readonly 8: Uint8Array | null;
}

const PLAIN: readonly Subtree[] = ['headers', 'input', 'output', 'state', 'trace'];
const EXTENSIONS: readonly Subtree[] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * Recomputes the root over the items as they came.
 *
 * @see contracts/streams.md section 9.5
 */
export function blockRoots({ footer, header, items }: Omit<ParsedBlock, 'proofs'>): BlockRoots {
  const leaves = new Map<Subtree, Uint8Array[]>();
  for (const { field, leaf } of items) {
    const kind = itemKind(field);
    if (typeof kind === 'string') continue;
    const found = leaves.get(kind.subtree);
    if (found === undefined) leaves.set(kind.subtree, [leaf]);
    else found.push(leaf);
  }
  const rootOf = (subtree: Subtree): Uint8Array => {
    const found = leaves.get(subtree);
    return found === undefined ? EMPTY_TREE : rootOfLeaves(found);
  };
  const eight = joined([footer.previousRoot, footer.allBlocksRoot, footer.stateRoot, ...PLAIN.map(rootOf)]);
  const time = leafHash(header.timestampBytes);
  const hasExtensions = EXTENSIONS.some((subtree) => leaves.has(subtree));
  return {
    16: nodeHash(time, nodeHash(eight, joined(EXTENSIONS.map(rootOf)))),
    8: hasExtensions ? null : nodeHash(time, oneChildHash(eight)),
  };
}

/** Neighbours joined until one is left; the number of places is a power of two. */
function joined(places: readonly Uint8Array[]): Uint8Array {
  let level = places;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 2) {
      next.push(nodeHash(level[at] ?? EMPTY_TREE, level[at + 1] ?? EMPTY_TREE));
    }
    level = next;
  }
  return level[0] ?? EMPTY_TREE;
}
