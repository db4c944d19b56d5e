import { sha384 } from '../sha384.ts';
import { HASH_CLASS_ID } from './hash-object.ts';
import type { RecordItem } from './record-file.ts';

export const RECORD_CLASS_ID = 0xe370_929b_a542_9d8bn;

/** Class id and version in front of each of the two hashes that are joined; these alone are little-endian. */
const HASH_PREFIX = (() => {
  const prefix = Buffer.alloc(12);
  prefix.writeBigUInt64LE(HASH_CLASS_ID, 0);
  prefix.writeInt32LE(1, 8);
  return prefix;
})();

/**
 * Folds the items of a version 5 or 6 file into its start hash.
 *
 * @see contracts/streams.md section 2.4
 */
export function runningHash(start: Uint8Array, items: readonly RecordItem[]): Uint8Array {
  return items.reduce((previous, item) => sha384(HASH_PREFIX, previous, HASH_PREFIX, itemHash(item)), start);
}

function itemHash({ transaction, record }: RecordItem): Uint8Array {
  const head = Buffer.alloc(16);
  head.writeBigUInt64BE(RECORD_CLASS_ID, 0);
  head.writeInt32BE(1, 8);
  head.writeInt32BE(record.length, 12);
  return sha384(head, record, int32(transaction.length), transaction);
}

/** Four bytes, big-endian. */
export function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value, 0);
  return bytes;
}
