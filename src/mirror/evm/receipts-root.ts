import { groupBy } from '../../values/group-by.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { BLOOM_BYTES, bloomWith } from './bloom.ts';
import { unsignedBytes } from './quantities.ts';
import { RlpWriter } from './write-rlp.ts';

/** A transaction of a block as its EVM receipt shows it. */
export interface Receipt {
  /** Place among the EVM transactions of the block. */
  readonly index: number;
  /** Of the Ethereum transaction; 0 for those of the network itself. */
  readonly type: number;
  /** Null where nothing ran: logs alone stand for it. */
  readonly isSuccessful: boolean | null;
  readonly gasUsed: bigint;
  /** Null or empty without logs. */
  readonly bloom: Uint8Array | null;
  /** In their order. */
  readonly logs: readonly ReceiptLog[];
}

interface ReceiptLog {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** Also without their leading zero bytes; null: a word of zeros. */
  readonly topics: readonly (Uint8Array | null)[];
  readonly data: Uint8Array | null;
}

interface Leaf {
  /** In hex, a nibble a digit. */
  readonly path: string;
  readonly receipt: Receipt;
  /** Of the block so far. */
  readonly cumulativeGas: bigint;
}

const NO_BYTES = new Uint8Array();
const HASH_BYTES = 32;
const WORD = 32;
const NIBBLES = [...'0123456789abcdef'].reverse();
const writer = new RlpWriter();

/**
 * The root that an Ethereum header has of the receipts of a block.
 *
 * @param receipts of one index each
 * @returns 32 bytes, all zero without receipts
 * @see contracts/mirror-contracts.md section 11.8
 */
export function receiptsRoot(receipts: readonly Receipt[]): Uint8Array {
  if (receipts.length === 0) return new Uint8Array(HASH_BYTES);
  let cumulativeGas = 0n;
  const leaves = [...receipts]
    .sort((one, other) => one.index - other.index)
    .map((receipt): Leaf => {
      cumulativeGas += receipt.gasUsed;
      return { path: pathOf(receipt.index), receipt, cumulativeGas };
    });
  return trieHash(leaves, 0);
}

/** The RLP of an index, which is the key of its receipt. */
function pathOf(index: number): string {
  writer.clear();
  writer.number(index);
  return Buffer.from(writer.written).toString('hex');
}

/**
 * The hash of a node of a Merkle Patricia trie over leaves that share their first nibbles. No path is the beginning of
 * another, and no node is shorter than a hash: each has a filter or hashes.
 */
function trieHash(leaves: readonly Leaf[], depth: number): Uint8Array {
  const [first] = leaves;
  if (first === undefined) throw new RangeError('a node has leaves');
  if (leaves.length === 1) return leafHash(first, depth);
  let end = depth;
  while (leaves.every(({ path }) => path[end] === first.path[end])) end++;
  if (end > depth) {
    const below = trieHash(leaves, end);
    return hashOf(() => {
      writer.bytes(below);
      writer.bytes(compactPath(first.path.slice(depth, end), false));
    });
  }
  const under = groupBy(leaves, ({ path }) => path[depth]);
  const branches = NIBBLES.map((nibble) => {
    const some = under.get(nibble);
    return some === undefined ? NO_BYTES : trieHash(some, depth + 1);
  });
  return hashOf(() => {
    writer.bytes(NO_BYTES);
    for (const branch of branches) writer.bytes(branch);
  });
}

function leafHash({ cumulativeGas, path, receipt }: Leaf, depth: number): Uint8Array {
  return hashOf(() => {
    writeReceipt(receipt, cumulativeGas);
    if (receipt.type !== 0) writer.byte(receipt.type);
    writer.closeBytes(0);
    writer.bytes(compactPath(path.slice(depth), true));
  });
}

/** @param write the members of the node, the last one first */
function hashOf(write: () => void): Uint8Array {
  writer.clear();
  write();
  writer.closeList(0);
  return keccak256(writer.written);
}

function writeReceipt({ bloom, isSuccessful, logs }: Receipt, cumulativeGas: bigint): void {
  const before = writer.length;
  for (const log of logs.toReversed()) writeLog(log);
  writer.closeList(before);
  writer.bytes(bloom?.length === BLOOM_BYTES ? bloom : bloomWith(bloom, NO_BYTES));
  writer.bytes(cumulativeGas === 0n ? NO_BYTES : unsignedBytes(cumulativeGas));
  if (isSuccessful === null) writer.bytes(NO_BYTES, HASH_BYTES);
  else writer.number(isSuccessful ? 1 : 0);
  writer.closeList(before);
}

function writeLog({ address, data, topics }: ReceiptLog): void {
  const before = writer.length;
  writer.bytes(data ?? NO_BYTES, data === null || data.length === 0 ? 0 : WORD);
  const beforeTopics = writer.length;
  for (const topic of topics.toReversed()) writer.bytes(topic ?? NO_BYTES, WORD);
  writer.closeList(beforeTopics);
  writer.bytes(address);
  writer.closeList(before);
}

/** Hex-prefix form: the first nibble tells whether the path ends here, and whether its length is odd. */
function compactPath(path: string, isLeaf: boolean): Uint8Array {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2);
  return Buffer.from(path.length % 2 === 1 ? `${flag}${path}` : `${flag}0${path}`, 'hex');
}
