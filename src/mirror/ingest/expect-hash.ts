import { bareHex } from '../../values/hex.ts';
import { IngestError } from './errors.ts';
import { sameBytes } from './sha384.ts';

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
