import { unsignedOf } from './quantities.ts';

/** Most that a nonce or a gas limit has. */
export const INTEGER_BYTES = 8;

/**
 * Reads an integer of up to 64 bits as int64: from 2^63 on it is negative, as the reference's importer has it.
 *
 * @returns null when it is longer or has leading zeros; 0 has no bytes.
 */
export function readInteger(bytes: Uint8Array): bigint | null {
  if (bytes.length > INTEGER_BYTES || bytes[0] === 0) return null;
  return BigInt.asIntN(64, unsignedOf(bytes));
}
