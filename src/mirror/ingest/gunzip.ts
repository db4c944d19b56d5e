import { gunzipSync } from 'node:zlib';
import { bufferOf } from '../../values/hex.ts';

/** A byte of deflate makes no more. */
const MAX_EXPANSION = 1032;
/** The smallest piece that the library takes. */
const MIN_CHUNK_BYTES = 64;
const SIZE_BYTES = 4;

/**
 * Undoes gzip, in one piece where the end of the file states its true size: joining pieces costs a third as much as
 * unpacking them.
 *
 * @throws Error that of zlib; its code is `ERR_BUFFER_TOO_LARGE` above `maxBytes`.
 */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  // One more than stated: a piece that is full is followed by another.
  const stated = bytes.length < SIZE_BYTES ? 0 : bufferOf(bytes).readUInt32LE(bytes.length - SIZE_BYTES) + 1;
  const chunkSize = Math.max(MIN_CHUNK_BYTES, Math.min(stated, maxBytes, bytes.length * MAX_EXPANSION));
  return gunzipSync(bytes, { chunkSize, maxOutputLength: maxBytes });
}
