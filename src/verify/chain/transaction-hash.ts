import type { Hex } from '../../values/hex.ts';

const TRANSACTION_HASH = /^0x[0-9a-f]{64}$/;

/** True for the hash of an EVM transaction, lower case, as nodes write it. */
export function isTransactionHash(value: unknown): value is Hex {
  return typeof value === 'string' && TRANSACTION_HASH.test(value);
}
