import type { ChainEnd } from '../../ledger/chain-end.ts';
import { type TreeEdge, treeRoot, withLeaf } from './hash-tree.ts';

const HASH_BYTES = 48;

/**
 * The edge of the tree over the roots of all blocks before the next one, as it is stored.
 *
 * @param last the block before; null before block 0
 * @returns null when a root is unknown, so that the tree cannot be checked.
 * @see contracts/streams.md section 9.5, row all blocks
 */
export function treeBefore(last: Pick<ChainEnd, 'tree' | 'root' | 'blockNumber'> | null): Uint8Array | null {
  if (last === null) return new Uint8Array();
  const { blockNumber, root, tree } = last;
  if (tree === null || root === null || blockNumber === null) return null;
  // Its leaves are the roots themselves, not hashed once more.
  return Buffer.concat(withLeaf(edgeOf(tree), blockNumber, root));
}

/** Root of the tree with this edge. */
export function rootOfEdge(edge: Uint8Array): Uint8Array {
  return treeRoot(edgeOf(edge));
}

function edgeOf(bytes: Uint8Array): TreeEdge {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}
