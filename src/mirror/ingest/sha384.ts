import { createHash } from 'node:crypto';

/** The hash of every stream format, 48 bytes, over the parts one after the other. */
export function sha384(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** The previous hash of the first unit of a stream. */
export const ZERO_HASH: Uint8Array = new Uint8Array(48);

/** Compares two byte strings. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
