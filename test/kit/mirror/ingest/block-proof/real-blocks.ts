import { readFileSync } from 'node:fs';
import { blockRoots } from '../../../../../src/mirror/ingest/block/native-block.ts';
import { type BlockItem, parseBlock } from '../../../../../src/mirror/ingest/block/parse-block.ts';
import { unpackBlock } from '../../../../../src/mirror/ingest/block/unpack-block.ts';
import { rawField } from '../../../../../src/mirror/protobuf/wire.ts';
import { streamPath } from '../stream-facts.ts';

/** A native block of a network, as far as its proof needs it. */
export interface RealBlock {
  readonly name: string;
  readonly number: bigint;
  readonly root: Uint8Array;
  /** The one serialized BlockProof. */
  readonly proof: Uint8Array;
  readonly items: readonly BlockItem[];
}

/** Reads a block of `data/streams`. */
export function realBlock(set: 'blocks-0.73' | 'blocks-0.78', number: number): RealBlock {
  const path = streamPath(set, `${number}.blk.gz`);
  const block = parseBlock(unpackBlock(readFileSync(path), path), path);
  const roots = blockRoots(block);
  const root = set === 'blocks-0.78' ? roots[16] : roots[8];
  const [proof] = block.proofs;
  if (root === null || proof === undefined) throw new Error(`${path} has no root or no proof`);
  return { name: `${set} block ${number}`, number: block.header.number, root, proof, items: block.items };
}

/** Key, threshold signature and address book proof of a directly signed block. */
export function blockSignatureOf({ proof }: Pick<RealBlock, 'proof'>): Uint8Array {
  return rawField(rawField(proof, 2) ?? new Uint8Array(), 1) ?? new Uint8Array();
}
