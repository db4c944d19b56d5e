import { sameBytes, sha384 } from '../sha384.ts';
import { FailedCheck } from './failed-check.ts';
import { readMessage } from './message-fields.ts';

/** One way upwards in a tree of hashes, as far as it goes alone. */
export interface MerklePath {
  /** The hash that it begins with; null for a path that joins two others. */
  readonly start: Uint8Array | null;
  /** Whether `start` came as a hash rather than as a leaf. */
  readonly isHash: boolean;
  readonly siblings: readonly { readonly isLeft: boolean; readonly hash: Uint8Array }[];
  /** The path that it continues in; null at the root. */
  readonly next: number | null;
}

const HASH_BYTES = 48;
const ENDS_AT_ROOT = 2n ** 32n - 1n;
const MIN_PATHS = 3;
/** What a path begins with: a hash, or a leaf of the state, of items, or the time of a block. */
const HASH = 3;
const LEAVES = [4, 5, 6];

/**
 * Reads the paths of a state proof strictly.
 *
 * @throws FailedCheck `encoding`, `state_proof_shape`
 * @see contracts/streams.md section 9.2, rows StateProof and MerklePath
 */
export function readMerklePath(bytes: Uint8Array): MerklePath {
  const path = readMessage(
    bytes,
    { 1: 'list', 2: 'uint64', 3: 'bytes', 4: 'bytes', 5: 'bytes', 6: 'bytes' },
    'a Merkle path',
  );
  const hash = path.bytes(HASH);
  const [leaf = null, ...more] = LEAVES.map((member) => path.bytes(member)).filter((each) => each !== null);
  if (more.length > 0 || (hash !== null && leaf !== null))
    throw shape('a path begins with more than one content');
  if (hash !== null && hash.length !== HASH_BYTES) throw shape('a path begins with a hash of another length');
  const next = path.uint64(2);
  return {
    start: leaf === null ? hash : sha384(Uint8Array.of(0), leaf),
    isHash: hash !== null,
    siblings: path.list(1).map(readSibling),
    next: next === ENDS_AT_ROOT ? null : Number(next),
  };
}

function readSibling(bytes: Uint8Array): MerklePath['siblings'][number] {
  const sibling = readMessage(bytes, { 1: 'uint64', 2: 'bytes' }, 'a sibling');
  const isLeft = sibling.uint64(1);
  const hash = sibling.bytes(2) ?? new Uint8Array();
  if (isLeft > 1n) throw shape('a sibling is neither left nor right');
  if (![0, HASH_BYTES].includes(hash.length)) throw shape('a sibling has a hash of another length');
  return { isLeft: isLeft === 1n, hash };
}

/**
 * Follows all paths to the one root that they lead to.
 *
 * @param ownRoot of the block that the proof is about; one of the paths must begin with it.
 * @returns the root that is signed, of a later block.
 * @throws FailedCheck `state_proof_shape`, `state_proof_leaf`
 * @see contracts/streams.md section 18.4
 */
export function signedRootOf(paths: readonly MerklePath[], ownRoot: Uint8Array): Uint8Array {
  if (paths.length < MIN_PATHS)
    throw shape(`a state proof has ${paths.length} paths, at least ${MIN_PATHS} are required`);
  if (!paths.some(({ isHash, start }) => isHash && start !== null && sameBytes(start, ownRoot))) {
    throw new FailedCheck(
      'state_proof_leaf',
      'no path of the state proof begins with the root of this block',
    );
  }
  const walk: Walk = { arrived: new Map(), visited: new Set(), roots: [] };
  for (const [index, { start }] of paths.entries()) if (start !== null) follow(paths, index, start, walk);
  if (walk.arrived.size > 0 || walk.visited.size < paths.length) throw shape('a path leads nowhere');
  const [root] = walk.roots;
  if (root === undefined || walk.roots.length > 1)
    throw shape(`the paths lead to ${walk.roots.length} roots`);
  return root;
}

interface Walk {
  /** The first of the two hashes that a path joins, and the path that it came from. */
  readonly arrived: Map<number, { readonly from: number; readonly hash: Uint8Array }>;
  readonly visited: Set<number>;
  readonly roots: Uint8Array[];
}

/** Goes up from a path until another hash is missing, or to the root. */
function follow(paths: readonly MerklePath[], first: number, start: Uint8Array, walk: Walk): void {
  let [index, hash] = [first, start];
  for (;;) {
    const path = paths[index];
    if (path === undefined || walk.visited.has(index)) throw shape('a path continues where it cannot');
    walk.visited.add(index);
    for (const sibling of path.siblings) hash = withSibling(hash, sibling);
    if (path.next === null) {
      if (index !== paths.length - 1) throw shape('the root is not the last path');
      walk.roots.push(hash);
      return;
    }
    const next = path.next;
    if (paths[next]?.start !== null) throw shape('a path continues in one that begins by itself');
    const other = walk.arrived.get(next);
    if (other === undefined) {
      walk.arrived.set(next, { from: index, hash });
      return;
    }
    walk.arrived.delete(next);
    hash = other.from < index ? node(other.hash, hash) : node(hash, other.hash);
    index = next;
  }
}

function withSibling(hash: Uint8Array, sibling: MerklePath['siblings'][number]): Uint8Array {
  if (sibling.hash.length === 0) return sha384(Uint8Array.of(1), hash);
  return sibling.isLeft ? node(sibling.hash, hash) : node(hash, sibling.hash);
}

function node(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha384(Uint8Array.of(2), left, right);
}

function shape(reason: string): FailedCheck {
  return new FailedCheck('state_proof_shape', reason);
}
