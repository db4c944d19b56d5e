import { MAX_INT64 } from '../../values/int64.ts';

const NUMBER = /^(?:\d{1,19}|0x[\dA-Fa-f]{1,16})$/;

/**
 * Reads the number of a block as every route takes it: decimal, or hex as EVM tools write it.
 *
 * @returns null for other text, negative numbers and those beyond int64.
 * @see contracts/mirror-contracts.md sections 2.2 and 9.3
 */
export function readBlockNumber(text: string): bigint | null {
  if (!NUMBER.test(text)) return null;
  const number = BigInt(text);
  return number <= MAX_INT64 ? number : null;
}
