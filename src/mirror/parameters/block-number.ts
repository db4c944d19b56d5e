import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';

/** Negative are those of record files before version 6, which count from the least int64 upward. */
const NUMBER = /^(?:-\d{19}|\d{1,19}|0x[\dA-Fa-f]{1,16})$/;

/**
 * Reads the number of a block as every route takes it: decimal, or hex as EVM tools write it, which may name a number
 * that no block can have: the greatest int64 stands for it.
 *
 * @returns null for other text, for negative numbers that no file can have, and decimal ones beyond int64.
 * @see contracts/mirror-contracts.md sections 2.2 and 9.3
 */
export function readBlockNumber(text: string): bigint | null {
  if (!NUMBER.test(text)) return null;
  const number = BigInt(text);
  if (number > MAX_INT64) return text.startsWith('0x') ? MAX_INT64 : null;
  return number >= MIN_INT64 ? number : null;
}
