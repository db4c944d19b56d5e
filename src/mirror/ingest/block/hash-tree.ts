import { sha384 } from '../sha384.ts';

const LEAF = Uint8Array.of(0);
const ONE_CHILD = Uint8Array.of(1);
const TWO_CHILDREN = Uint8Array.of(2);

/** Hash of a leaf with this content. */
export function leafHash(content: Uint8Array): Uint8Array {
  return sha384(LEAF, content);
}

/** Hash of a node with one child. */
export function oneChildHash(child: Uint8Array): Uint8Array {
  return sha384(ONE_CHILD, child);
}

/** Hash of a node with two children. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha384(TWO_CHILDREN, left, right);
}

/** Root of a tree without leaves: the hash of an empty leaf. */
export const EMPTY_TREE: Uint8Array = leafHash(new Uint8Array());

/**
 * The edge of a tree that grows leaf by leaf: the roots of its whole subtrees, the largest first.
 *
 * A tree of n leaves has one for each bit that is set in n.
 *
 * @see contracts/streams.md section 9.5
 */
export type TreeEdge = readonly Uint8Array[];

/** The edge with one more leaf, given by its hash. */
export function withLeaf(edge: TreeEdge, leavesBefore: bigint, leaf: Uint8Array): TreeEdge {
  const next = [...edge];
  let node = leaf;
  for (let bits = leavesBefore; (bits & 1n) === 1n; bits >>= 1n)
    node = nodeHash(next.pop() ?? EMPTY_TREE, node);
  return [...next, node];
}

/** Root of the tree, folded from the right. */
export function treeRoot(edge: TreeEdge): Uint8Array {
  const [last = EMPTY_TREE, ...others] = [...edge].reverse();
  return others.reduce((right, left) => nodeHash(left, right), last);
}

/** Root over many leaves at once. */
export function rootOfLeaves(leaves: readonly Uint8Array[]): Uint8Array {
  const open: Uint8Array[] = [];
  leaves.forEach((content, index) => {
    let node = leafHash(content);
    for (let bits = index; bits % 2 === 1; bits = (bits - 1) / 2)
      node = nodeHash(open.pop() ?? EMPTY_TREE, node);
    open.push(node);
  });
  return treeRoot(open);
}
