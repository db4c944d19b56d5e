import { groupBy } from '../../values/group-by.ts';
import { bareHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { BLOOM_BYTES, bloomWith } from './bloom.ts';
import { padded, prefixed } from './bytes.ts';
import { unsignedBytes } from './quantities.ts';
import { encodeRlpItem, type RlpItem } from './write-rlp.ts';

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
  /** Also without their leading zero bytes. */
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** The path in hex, a nibble a digit. */
type Leaf = readonly [path: string, value: Uint8Array];

const NO_BYTES = new Uint8Array();
const HASH_BYTES = 32;
const NIBBLES = [...'0123456789abcdef'];

/**
 * The root that an Ethereum header has of the receipts of a block.
 *
 * @param receipts of one index each
 * @returns 32 bytes, all zero without receipts
 * @see contracts/mirror-contracts.md section 11.8
 */
export function receiptsRoot(receipts: readonly Receipt[]): Uint8Array {
  if (receipts.length === 0) return new Uint8Array(HASH_BYTES);
  let gas = 0n;
  const leaves = [...receipts]
    .sort((one, other) => one.index - other.index)
    .map((receipt): Leaf => {
      gas += receipt.gasUsed;
      return [bareHex(encodeRlpItem(quantity(BigInt(receipt.index)))), encodedReceipt(receipt, gas)];
    });
  return keccak256(encodeRlpItem(trieNode(leaves, 0)));
}

function encodedReceipt({ bloom, isSuccessful, logs, type }: Receipt, cumulativeGas: bigint): Uint8Array {
  const status = isSuccessful === null ? new Uint8Array(HASH_BYTES) : quantity(isSuccessful ? 1n : 0n);
  const entry = encodeRlpItem([
    status,
    quantity(cumulativeGas),
    bloom?.length === BLOOM_BYTES ? bloom : bloomWith(bloom, NO_BYTES),
    logs.map(({ address, data, topics }) => [
      address,
      topics.map((topic) => padded(topic, HASH_BYTES)),
      data.length === 0 ? data : padded(data, HASH_BYTES),
    ]),
  ]);
  return type === 0 ? entry : prefixed(type, entry);
}

/** A node of a Merkle Patricia trie over leaves that share their first nibbles; no path is the beginning of another. */
function trieNode(leaves: readonly Leaf[], depth: number): RlpItem {
  const [first = ['', NO_BYTES] as Leaf] = leaves;
  if (leaves.length === 1) return [compactPath(first[0].slice(depth), true), first[1]];
  let end = depth;
  while (leaves.every(([path]) => path[end] === first[0][end])) end++;
  if (end > depth) return [compactPath(first[0].slice(depth, end), false), reference(trieNode(leaves, end))];
  const below = groupBy(leaves, ([path]) => path[depth]);
  const branches = NIBBLES.map((nibble): RlpItem => {
    const under = below.get(nibble);
    return under === undefined ? NO_BYTES : reference(trieNode(under, depth + 1));
  });
  return [...branches, NO_BYTES];
}

/** Nodes shorter than a hash stand for themselves. */
function reference(node: RlpItem): RlpItem {
  const encoded = encodeRlpItem(node);
  return encoded.length < HASH_BYTES ? node : keccak256(encoded);
}

/** Hex-prefix form: the first nibble tells whether the path ends here, and whether its length is odd. */
function compactPath(path: string, isLeaf: boolean): Uint8Array {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2);
  return Buffer.from(path.length % 2 === 1 ? `${flag}${path}` : `${flag}0${path}`, 'hex');
}

/** 0 has no bytes. */
function quantity(value: bigint): Uint8Array {
  return value === 0n ? NO_BYTES : unsignedBytes(value);
}
