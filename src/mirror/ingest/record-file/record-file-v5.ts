import type { StreamItem } from '../../items/stream-item.ts';
import { IngestError } from '../errors.ts';
import { sha384 } from '../sha384.ts';
import { ByteReader } from './byte-reader.ts';
import { expectClassId, readHashObject } from './hash-object.ts';
import type { RecordFile } from './record-file.ts';
import { MAX_ITEM_LENGTH } from './record-file-v1-v2.ts';
import { RECORD_CLASS_ID } from './running-hash.ts';

/** @see contracts/streams.md section 2.2 */
export function parseRecordFileV5(bytes: Uint8Array, name: string): RecordFile {
  const reader = new ByteReader(bytes, name);
  reader.int32();
  const hapiVersion = [reader.int32(), reader.int32(), reader.int32()].join('.');
  reader.expect('the object stream version', reader.int32(), 1);
  const previousHash = readHashObject(reader, 'the start running hash');
  const headerLength = reader.offset;
  const items: StreamItem[] = [];
  while (reader.peekUint64() === RECORD_CLASS_ID) {
    expectClassId(reader, 'a record', RECORD_CLASS_ID);
    reader.expect('the class version of a record', reader.int32(), 1);
    const record = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'record');
    const transaction = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'transaction');
    items.push({ transaction, record });
  }
  const itemsEnd = reader.offset;
  const hash = readHashObject(reader, 'the end running hash');
  reader.expectEnd();
  if (items.length === 0) throw new IngestError('no_items', `The record file ${name} has no items`);
  return {
    name,
    version: 5,
    hapiVersion,
    items,
    previousHash,
    hash,
    fileHash: sha384(bytes),
    metadataHash: sha384(bytes.subarray(0, headerLength), bytes.subarray(itemsEnd)),
    blockNumber: null,
    sidecars: [],
    uncompressedSize: bytes.length,
  };
}
