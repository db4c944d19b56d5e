import { hash } from 'node:crypto';
import { bareHex } from '../../values/hex.ts';
import { IngestError } from './errors.ts';

const HASH_BYTES = 48;

/** The hash of every stream format, 48 bytes, over the parts one after the other. */
export function sha384(...parts: readonly Uint8Array[]): Uint8Array {
  // One call over joined bytes: most inputs are so small that each further call costs more than the copy.
  const [only] = parts;
  // As text, since a buffer outside the heap for each hash costs as much again as the hash of a small input.
  const text = hash(
    'sha384',
    parts.length === 1 && only !== undefined ? only : Buffer.concat(parts),
    'binary',
  );
  const bytes = new Uint8Array(HASH_BYTES);
  for (let index = 0; index < HASH_BYTES; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** The previous hash of the first unit of a stream. */
export const ZERO_HASH: Uint8Array = new Uint8Array(48);

/** Compares two byte strings. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

/** @throws IngestError `code` with both hashes when they differ. */
export function expectHash(
  code: 'file_hash_mismatch' | 'running_hash_mismatch' | 'chain_mismatch' | 'sidecar_hash_mismatch',
  what: string,
  expected: Uint8Array,
  found: Uint8Array,
): void {
  if (sameBytes(expected, found)) return;
  throw new IngestError(code, `${what}: expected ${bareHex(expected)}, found ${bareHex(found)}`);
}
