import { hash } from 'node:crypto';

/** The hash of every stream format, 48 bytes, over the parts one after the other. */
export function sha384(...parts: readonly Uint8Array[]): Uint8Array {
  // One call over joined bytes: most inputs are so small that each further call costs more than the copy.
  const [only] = parts;
  return new Uint8Array(
    hash('sha384', parts.length === 1 && only !== undefined ? only : Buffer.concat(parts), 'buffer'),
  );
}

/** The previous hash of the first unit of a stream. */
export const ZERO_HASH: Uint8Array = new Uint8Array(48);

/** Compares two byte strings. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
