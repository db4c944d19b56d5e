import { ITEM } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import { sha384 } from '../../src/mirror/ingest/sha384.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';
import {
  type BlockChain,
  chainAfter,
  FIRST_CHAIN,
  timeBytes,
  type WrittenBlock,
  writeBlock,
} from './block-container.ts';
import { nativeParts } from './native-parts.ts';
import type { NodeSigner } from './node-signer.ts';
import { HAPI_VERSION, type StreamOptions, type WrittenUnit, writtenLedger } from './written-ledger.ts';
import { WrittenState } from './written-state.ts';

export interface BlockOptions extends StreamOptions {
  /** Number of the first native block; those before it wrap record files. Default: none is native. */
  readonly nativeFrom?: number;
}

/** A block of a written ledger. */
export interface LedgerBlock extends WrittenBlock {
  readonly isNative: boolean;
  readonly unit: WrittenUnit;
}

/** A written ledger in blocks. */
export interface WrittenBlocks {
  /** Serialized `NodeAddressBook`, with which wrapped blocks are proven. */
  readonly book: Uint8Array;
  /** Made as they are asked for, once. */
  readonly blocks: Iterable<LedgerBlock>;
}

/** In `RecordFileItem`. */
const RECORD_FILE = { creationTime: 1, contents: 2, sidecar: 3 };
/** In `BlockProof`, `TssSignedBlockProof`, `SignedRecordFileProof` and its signatures. */
const PROOF = { block: 1, signedBlock: 2, signedRecordFile: 4 };
const BLOCK_SIGNATURE = 1;
const RECORD_PROOF = { version: 1, signature: 2 };
const NODE_SIGNATURE = { signature: 1, node: 2 };
const VERSION = 6;
/** Of the version, in front of the message. */
const VERSION_BYTES = 4;

/**
 * Writes the ledger that `writeStream` writes as blocks: each record file is one of them, wrapped with the signatures
 * of the nodes, or told natively. Roots and the tree over all of them are right.
 *
 * Native blocks have the proof of development networks: the hash of their root, which proves nothing.
 *
 * @see contracts/streams.md sections 9.4, 9.5, 9.6 and 18.2
 */
export function writeBlocks(options: BlockOptions = {}): WrittenBlocks {
  const { nativeFrom = Number.POSITIVE_INFINITY } = options;
  const { book, signers, units } = writtenLedger({ beginsAnywhereFrom: nativeFrom, ...options });
  return { book, blocks: blocksOf(units, signers, nativeFrom) };
}

function* blocksOf(
  units: Iterable<WrittenUnit>,
  signers: readonly NodeSigner[],
  nativeFrom: number,
): Generator<LedgerBlock> {
  const state = new WrittenState();
  let chain: BlockChain = FIRST_CHAIN;
  for (const unit of units) {
    const isNative = unit.index >= nativeFrom;
    // Wrapped blocks tell no state, but the native ones after them go on with it.
    const native = nativeParts(unit.items, state, unit.sidecar);
    const block = isNative ? nativeBlock(unit, native, chain) : wrappedBlock(unit, signers, chain);
    chain = chainAfter(chain, block);
    yield { ...block, isNative, unit };
  }
}

function nativeBlock(
  unit: WrittenUnit,
  parts: ReturnType<typeof nativeParts>,
  chain: BlockChain,
): WrittenBlock {
  return writeBlock(headerOf(unit), parts, chain, (root) => {
    const signed = new WireWriter().delimited(BLOCK_SIGNATURE, sha384(root)).finish();
    return new WireWriter().varint(PROOF.block, unit.index).delimited(PROOF.signedBlock, signed).finish();
  });
}

function wrappedBlock(unit: WrittenUnit, signers: readonly NodeSigner[], chain: BlockChain): WrittenBlock {
  const { file, first, index, sidecar } = unit;
  const bytes = new WireWriter()
    .delimited(RECORD_FILE.creationTime, timeBytes(first))
    .delimited(RECORD_FILE.contents, file.bytes.subarray(VERSION_BYTES))
    .delimited(RECORD_FILE.sidecar, sidecar)
    .finish();
  return writeBlock(headerOf(unit), [{ field: ITEM.recordFile, bytes }], chain, () => {
    const signed = new WireWriter().varint(RECORD_PROOF.version, VERSION);
    for (const { nodeId, sign } of signers) {
      const signature = new WireWriter()
        .delimited(NODE_SIGNATURE.signature, sign(file.fileHash))
        .varint(NODE_SIGNATURE.node, nodeId)
        .finish();
      signed.delimited(RECORD_PROOF.signature, signature);
    }
    return new WireWriter()
      .varint(PROOF.block, index)
      .delimited(PROOF.signedRecordFile, signed.finish())
      .finish();
  });
}

function headerOf({ first, index }: WrittenUnit) {
  return { number: BigInt(index), hapiVersion: HAPI_VERSION, time: first };
}
