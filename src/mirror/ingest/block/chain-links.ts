import { bareHex } from '../../../values/hex.ts';
import { authoritativeNumber, type ChainEnd } from '../../ledger/chain-end.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { IngestError } from '../errors.ts';
import { expectHash, sameBytes } from '../sha384.ts';
import type { UnitDemands } from '../units/stream-unit.ts';
import { EMPTY_TREE, type TreeEdge, treeRoot, withLeaf } from './hash-tree.ts';
import type { BlockFooter } from './parse-block.ts';

/** What a block tells of the one before it. */
export interface BlockLinks {
  readonly number: bigint;
  readonly begin: bigint;
  readonly footer: Pick<BlockFooter, 'previousRoot' | 'allBlocksRoot'>;
  /** Of a wrapped record file: the hash of the one before it. Null for a native block. */
  readonly recordPreviousHash: Uint8Array | null;
  /** For errors. */
  readonly path: string;
}

/** How a block joins the chain. */
export interface JoinedChain {
  /** What the API shows as the hash before it: the chain of hashes has no break where record files end. */
  readonly previousHash: Uint8Array;
  /** The roots of all blocks before it; null when they are not all known. */
  readonly tree: Uint8Array | null;
}

/**
 * What a block follows, in the terms of the chain so far, without any check.
 *
 * Wrapped record files follow each other by the hashes of the files, and the first native block by number alone: nodes may
 * wrap anew, so the roots of wrapped blocks need not join.
 */
export function followedHash(block: BlockLinks, previous: ChainEnd | null): Uint8Array {
  const { footer, recordPreviousHash } = block;
  const named = recordPreviousHash ?? footer.previousRoot;
  if (previous === null || recordPreviousHash !== null || holeBefore(block, previous) !== null) return named;
  const isJoined = !previous.isNative || previous.root === null || sameBytes(previous.root, named);
  return isJoined ? previous.hash : named;
}

/**
 * Checks number, hash, and between native blocks root and the tree over all roots, against the end of the chain.
 *
 * @throws IngestError `chain_mismatch`, `nonconsecutive_block`, `fork`.
 * @see contracts/streams.md sections 9.5 and 16.3
 */
export async function joinChain(
  block: BlockLinks,
  { gaps = noGaps, previous }: Pick<UnitDemands, 'gaps' | 'previous'>,
): Promise<JoinedChain> {
  const { footer, number, path, recordPreviousHash } = block;
  const found = followedHash(block, previous);
  const isNative = recordPreviousHash === null;
  if (previous === null) {
    if (number !== 0n) return { previousHash: found, tree: null };
    if (isNative) {
      expectHash(
        'chain_mismatch',
        `Previous root of ${path}, the first block,`,
        EMPTY_TREE,
        footer.previousRoot,
      );
    }
    return { previousHash: found, tree: treeBehind(new Uint8Array(), block, isNative) };
  }
  expectNewNumber(block, previous);
  if (await gaps.accepts(previous.hash, found, block.begin)) return { previousHash: found, tree: null };
  const hole = holeBefore(block, previous);
  if (hole !== null) throw new IngestError('nonconsecutive_block', hole);
  if (recordPreviousHash !== null) {
    expectHash('chain_mismatch', `Previous hash of ${path}`, previous.hash, recordPreviousHash);
  }
  const areNative = isNative && previous.isNative;
  if (areNative && previous.root !== null) {
    expectHash('chain_mismatch', `Previous root of ${path}`, previous.root, footer.previousRoot);
  }
  return { previousHash: found, tree: treeBehind(treeBefore(previous), block, areNative) };
}

/** A number that the ledger has is another ledger's. */
function expectNewNumber({ number, path, recordPreviousHash }: BlockLinks, previous: ChainEnd): void {
  const last = authoritativeNumber(previous);
  if (last !== null && number <= last) {
    throw new IngestError(
      'fork',
      `Block ${number} in ${path} differs from that of the ledger, which ends with block ${last}: ` +
        'if the network was reset, import it into a new database',
    );
  }
  if (previous.isNative && recordPreviousHash !== null) {
    throw new IngestError(
      'chain_mismatch',
      `${path} is a wrapped record file, but the ledger ends with a native block`,
    );
  }
}

function holeBefore({ number, path }: BlockLinks, previous: ChainEnd): string | null {
  const last = authoritativeNumber(previous);
  if (last === null || number === last + 1n) return null;
  return `Block ${last + 1n} is missing: the ledger ends with block ${last}, and ${path} is block ${number}`;
}

/** The tree over all roots before a block; null when they are not known, or are others than those of the network. */
function treeBehind(
  edge: Uint8Array | null,
  { footer: { allBlocksRoot }, path }: BlockLinks,
  mustHold: boolean,
): Uint8Array | null {
  if (edge === null) return null;
  const expected = rootOfEdge(edge);
  if (sameBytes(expected, allBlocksRoot)) return edge;
  if (!mustHold) return null;
  throw new IngestError(
    'chain_mismatch',
    `Root over all blocks before ${path}: expected ${bareHex(expected)}, found ${bareHex(allBlocksRoot)}`,
  );
}

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
