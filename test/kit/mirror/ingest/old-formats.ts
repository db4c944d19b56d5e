import { HASH_CLASS_ID } from '../../../../src/mirror/ingest/record-file/byte-reader.ts';
import {
  int32,
  RECORD_CLASS_ID,
  runningHash,
} from '../../../../src/mirror/ingest/record-file/running-hash.ts';
import type { StreamItem } from '../../../../src/mirror/items/stream-item.ts';
import type { NodeSigner } from '../../../../tools/network/node-signer.ts';

/** Record and signature files of the formats before version 6, written by the tables of the contract. */

/** @see contracts/streams.md section 2.1 */
export function recordFileV1V2(
  version: 1 | 2,
  previousHash: Uint8Array,
  items: readonly StreamItem[],
): Uint8Array {
  const body = items.flatMap(({ transaction, record }) => [
    Uint8Array.of(2),
    prefixed(transaction),
    prefixed(record),
  ]);
  return Buffer.concat([int32(version), int32(3), Uint8Array.of(1), previousHash, ...body]);
}

/** @see contracts/streams.md section 2.2 */
export function recordFileV5(startHash: Uint8Array, items: readonly StreamItem[]): Uint8Array {
  const objects = items.flatMap(({ transaction, record }) => [
    uint64(RECORD_CLASS_ID),
    int32(1),
    prefixed(record),
    prefixed(transaction),
  ]);
  const head = [5, 0, 11, 0, 1].map(int32);
  return Buffer.concat([
    ...head,
    hashObject(startHash),
    ...objects,
    hashObject(runningHash(startHash, items)),
  ]);
}

/** The format whose first byte is 4. @see contracts/streams.md section 4 */
export function signatureFileV2(fileHash: Uint8Array, signer: NodeSigner): Uint8Array {
  return Buffer.concat([Uint8Array.of(4), fileHash, Uint8Array.of(3), prefixed(signer.sign(fileHash))]);
}

/** @see contracts/streams.md section 4 */
export function signatureFileV5(
  fileHash: Uint8Array,
  metadataHash: Uint8Array,
  signer: NodeSigner,
): Uint8Array {
  const parts = [fileHash, metadataHash].flatMap((hash) => [
    hashObject(hash),
    signatureObject(signer.sign(hash)),
  ]);
  return Buffer.concat([Uint8Array.of(5), int32(1), ...parts]);
}

function signatureObject(signature: Uint8Array): Uint8Array {
  const head = [1, 1, signature.length, 101 - signature.length].map(int32);
  return Buffer.concat([uint64(0x13dc_4b39_9b24_5c69n), ...head, signature]);
}

function hashObject(hash: Uint8Array): Uint8Array {
  return Buffer.concat([uint64(HASH_CLASS_ID), int32(1), int32(0x58ff_811b), int32(48), hash]);
}

function prefixed(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([int32(bytes.length), bytes]);
}

function uint64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value, 0);
  return bytes;
}
