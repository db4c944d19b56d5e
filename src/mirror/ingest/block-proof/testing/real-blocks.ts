import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sharedPath } from '../../../../../test/shared-data.ts';
import { rawField, wireFields } from '../../../protobuf/wire.ts';
import { sha384 } from '../../sha384.ts';

/** A native block of a network, as far as its proof needs it. */
export interface RealBlock {
  readonly name: string;
  readonly number: bigint;
  readonly root: Uint8Array;
  /** The one serialized BlockProof. */
  readonly proof: Uint8Array;
  /** Payloads of the members of its items. */
  readonly items: readonly { readonly field: number; readonly bytes: Uint8Array }[];
}

const BLOCK_PROOF = 9;
const BLOCK_FOOTER = 12;
const HEADER = 1;
/** Subtrees in the order of the tree: headers, input, output, state changes, trace. */
const SUBTREES = [[2, 3], [4], [1, 5, 6, 10], [7], [11]];
const EMPTY = sha384(Uint8Array.of(0));

/** Reads a block of `data/streams`; `hasWideTop` for the 16-leaf form of its root. */
export function realBlock(set: 'blocks-0.73' | 'blocks-0.78', number: number): RealBlock {
  const block = gunzipSync(readFileSync(sharedPath('data', 'streams', set, `${number}.blk.gz`)));
  const items = wireFields(block).flatMap(({ bytes: leaf }) =>
    wireFields(leaf).map(({ number: field, bytes }) => ({ field, bytes, leaf })),
  );
  const member = (field: number) => items.find((item) => item.field === field)?.bytes ?? new Uint8Array();
  const roots = [1, 2, 3].map((field) => rawField(member(BLOCK_FOOTER), field) ?? EMPTY);
  for (const fields of SUBTREES) {
    roots.push(streamingRoot(items.filter(({ field }) => fields.includes(field)).map(({ leaf }) => leaf)));
  }
  const isWide = set === 'blocks-0.78';
  let level: Uint8Array[] = isWide ? [...roots, ...roots.map(() => EMPTY)] : roots;
  while (level.length > 1) level = pairs(level);
  const top = level[0] ?? EMPTY;
  const time = leafHash(rawField(member(HEADER), 4) ?? new Uint8Array());
  return {
    name: `${set} block ${number}`,
    number: BigInt(number),
    root: nodeHash(time, isWide ? top : sha384(Uint8Array.of(1), top)),
    proof: member(BLOCK_PROOF),
    items,
  };
}

/** Key, threshold signature and address book proof of a directly signed block. */
export function blockSignatureOf({ proof }: Pick<RealBlock, 'proof'>): Uint8Array {
  return rawField(rawField(proof, 2) ?? new Uint8Array(), 1) ?? new Uint8Array();
}

function streamingRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const open: Uint8Array[] = [];
  leaves.forEach((leaf, index) => {
    let node = leafHash(leaf);
    for (let bits = index; bits % 2 === 1; bits = (bits - 1) / 2) node = nodeHash(open.pop() ?? EMPTY, node);
    open.push(node);
  });
  return (
    open.reduceRight<Uint8Array | null>((right, left) => (right ? nodeHash(left, right) : left), null) ??
    EMPTY
  );
}

function pairs(level: readonly Uint8Array[]): Uint8Array[] {
  return level.flatMap((left, index) => (index % 2 === 0 ? [nodeHash(left, level[index + 1] ?? EMPTY)] : []));
}

function leafHash(data: Uint8Array): Uint8Array {
  return sha384(Uint8Array.of(0), data);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha384(Uint8Array.of(2), left, right);
}
