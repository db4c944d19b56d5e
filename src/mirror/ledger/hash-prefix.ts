const PREFIX_BYTES = 8;

/**
 * The first 8 bytes of a transaction hash as int64, the key of the hash index.
 *
 * @returns null when the hash is shorter.
 */
export function hashPrefix(hash: Uint8Array): bigint | null {
  if (hash.length < PREFIX_BYTES) return null;
  return new DataView(hash.buffer, hash.byteOffset, PREFIX_BYTES).getBigInt64(0);
}
