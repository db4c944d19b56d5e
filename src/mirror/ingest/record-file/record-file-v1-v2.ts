import type { StreamItem } from '../../items/stream-item.ts';
import { sha384 } from '../sha384.ts';
import { ByteReader } from './byte-reader.ts';
import type { RecordFile } from './record-file.ts';

const PREVIOUS_HASH_MARKER = 1;
const RECORD_MARKER = 2;
/** Bytes before the body: version, HAPI version, marker, previous hash. */
const HEADER_LENGTH = 57;
/** Limit of one transaction or record in versions 1, 2 and 5. */
export const MAX_ITEM_LENGTH = 64 * 1024;

/** @see contracts/streams.md section 2.1 */
export function parseRecordFileV1V2(bytes: Uint8Array, name: string): RecordFile {
  const reader = new ByteReader(bytes, name);
  const version = reader.int32() === 1 ? 1 : 2;
  // The version of the API as a single number, which no client reads.
  reader.int32();
  reader.expect('the previous hash marker', reader.byte(), PREVIOUS_HASH_MARKER);
  const previousHash = reader.bytes(48);
  const items: StreamItem[] = [];
  while (!reader.atEnd) {
    reader.expect('the record marker', reader.byte(), RECORD_MARKER);
    const transaction = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'transaction');
    const record = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'record');
    items.push({ transaction, record });
  }
  const fileHash = fileHashV1V2(bytes, version);
  return {
    name,
    version,
    hapiVersion: null,
    items,
    previousHash,
    hash: fileHash,
    fileHash,
    metadataHash: null,
    blockNumber: null,
    sidecars: [],
    uncompressedSize: bytes.length,
  };
}

/** Version 1 hashes the file in one pass, version 2 its header and the hash of its body. */
export function fileHashV1V2(bytes: Uint8Array, version: 1 | 2): Uint8Array {
  if (version === 1) return sha384(bytes);
  return sha384(bytes.subarray(0, HEADER_LENGTH), sha384(bytes.subarray(HEADER_LENGTH)));
}
