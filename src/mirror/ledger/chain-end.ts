import type { LedgerUnit, UnitHeader } from './rows.ts';

/** The newest record file or block of a ledger: what the next one must follow. Fixtures stand outside the chain. */
export interface ChainEnd {
  /** A wrapped record file is a block too. */
  readonly kind: 'record' | 'block';
  /** False for record files, wrapped in a block or not: only a native block ends the chain of their hashes. */
  readonly isNative: boolean;
  /** Version of the record file; 7 for a native block. */
  readonly version: number;
  readonly blockNumber: bigint | null;
  /** What the next record file names as previous; of a native block its root. */
  readonly hash: Uint8Array;
  /** Root of the block, also of a wrapped one; null where nobody told it. */
  readonly root: Uint8Array | null;
  /**
   * The roots of all blocks before it as the edge of their tree, highest subtree first; its own root is not among
   * them. Null when they are not known from block 0 on.
   */
  readonly tree: Uint8Array | null;
}

/** The first version of record files that carry their number; those before are counted here, from wherever. */
const FIRST_NUMBERED_VERSION = 6;

/** Null where the number was counted here and may be another than the network's. */
export function authoritativeNumber({ blockNumber, kind, version }: ChainEnd): bigint | null {
  return kind === 'record' && version < FIRST_NUMBERED_VERSION ? null : blockNumber;
}

/**
 * The number of the unit that names the end as its previous one; null for any: a network counts from the least number
 * until its own is known.
 */
export function nextNumber(end: ChainEnd): bigint | null {
  const last = authoritativeNumber(end);
  return last === null || last < 0n ? null : last + 1n;
}

/** The chain with a unit taken in; a fixture leaves it as it was. */
export function chainEndAfter(
  last: ChainEnd | null,
  { header, tree }: Pick<LedgerUnit, 'header' | 'tree'>,
): ChainEnd | null {
  const { blockNumber, hash, isNative, kind, root, version } = header;
  if (kind === 'fixture') return last;
  const number = blockNumber ?? numberAfter(last);
  return { kind, isNative, version, blockNumber: number, hash, root, tree };
}

/** The end of the chain as it is stored. */
export function storedChainEnd(header: UnitHeader, tree: Uint8Array | null): ChainEnd {
  const { blockNumber, hash, isNative, root, version } = header;
  const kind = header.kind === 'record' ? 'record' : 'block';
  return { kind, isNative, version, blockNumber, hash, root, tree };
}

function numberAfter(last: ChainEnd | null): bigint | null {
  if (last === null) return 0n;
  return last.blockNumber === null ? null : last.blockNumber + 1n;
}
