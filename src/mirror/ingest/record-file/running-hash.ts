import type { StreamItem } from '../../items/stream-item.ts';
import { sha384 } from '../sha384.ts';
import { HASH_CLASS_ID } from './byte-reader.ts';

export const RECORD_CLASS_ID = 0xe370_929b_a542_9d8bn;

const HASH_BYTES = 48;

/** Class id and version in front of each of the two hashes that are joined; these alone are little-endian. */
const HASH_PREFIX = (() => {
  const prefix = Buffer.alloc(12);
  prefix.writeBigUInt64LE(HASH_CLASS_ID, 0);
  prefix.writeInt32LE(1, 8);
  return prefix;
})();

/** Where the two hashes lie between their prefixes. */
const PREVIOUS_AT = HASH_PREFIX.length;
const ITEM_AT = PREVIOUS_AT + HASH_BYTES + HASH_PREFIX.length;

/** Class id, class version and the length of the record. */
const ITEM_HEAD_BYTES = 16;

/**
 * Folds the items of a version 5 or 6 file into its start hash.
 *
 * @see contracts/streams.md section 2.4
 */
export function runningHash(start: Uint8Array, items: readonly StreamItem[]): Uint8Array {
  // Joined in the same memory for all items: two hashes for each are most of what a check costs.
  const pair = Buffer.alloc(ITEM_AT + HASH_BYTES);
  pair.set(HASH_PREFIX, 0);
  pair.set(HASH_PREFIX, PREVIOUS_AT + HASH_BYTES);
  const sizes = items.map(
    ({ record, transaction }) => ITEM_HEAD_BYTES + record.length + 4 + transaction.length,
  );
  const joined = Buffer.alloc(sizes.reduce((largest, size) => Math.max(largest, size), ITEM_HEAD_BYTES));
  joined.writeBigUInt64BE(RECORD_CLASS_ID, 0);
  joined.writeInt32BE(1, 8);
  return items.reduce((previous, { record, transaction }, index) => {
    joined.writeInt32BE(record.length, 12);
    joined.set(record, ITEM_HEAD_BYTES);
    const end = joined.writeInt32BE(transaction.length, ITEM_HEAD_BYTES + record.length);
    joined.set(transaction, end);
    pair.set(previous, PREVIOUS_AT);
    pair.set(sha384(joined.subarray(0, sizes[index])), ITEM_AT);
    return sha384(pair);
  }, start);
}

/** Four bytes, big-endian. */
export function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value, 0);
  return bytes;
}
