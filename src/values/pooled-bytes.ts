/** As many as the pool of small buffers of Node has. */
const POOL_BYTES = 8192;

let pool = new Uint8Array(POOL_BYTES);
let used = 0;

/**
 * Zero bytes that share their memory with others, for what an import makes for each transfer of a token: the memory of an
 * array of its own is asked of the system once somebody makes a view of it, or if it is longer than 64 bytes.
 */
export function pooledBytes(length: number): Uint8Array {
  if (used + length > pool.length) {
    if (length > POOL_BYTES / 2) return new Uint8Array(length);
    [pool, used] = [new Uint8Array(POOL_BYTES), 0];
  }
  used += length;
  return pool.subarray(used - length, used);
}
