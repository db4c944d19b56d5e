/**
 * Zero bytes from the pool of small buffers, for what an import makes for each transfer of a token: the memory of an array of
 * its own is asked of the system once somebody makes a view of it.
 */
export function pooledBytes(length: number): Uint8Array {
  const { buffer, byteOffset } = Buffer.allocUnsafe(length).fill(0);
  return new Uint8Array(buffer, byteOffset, length);
}
