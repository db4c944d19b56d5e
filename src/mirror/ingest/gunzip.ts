import { gunzipSync } from 'node:zlib';
import { bufferOf } from '../../values/hex.ts';

/** A byte of deflate makes no more. */
const MAX_EXPANSION = 1032;
/** The smallest piece that the library takes, and the one for files that do not state their size. */
const [MIN_PIECE_BYTES, PIECE_BYTES] = [64, 65_536];
const SIZE_BYTES = 4;

/**
 * Undoes gzip, in one piece where the end of the file states its true size: joining pieces costs a third as much as
 * unpacking them.
 *
 * @throws Error that of zlib; its code is `ERR_BUFFER_TOO_LARGE` above `maxBytes`.
 */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  return gunzipSync(bytes, { chunkSize: pieceBytes(bytes, maxBytes), maxOutputLength: maxBytes });
}

function pieceBytes(bytes: Uint8Array, maxBytes: number): number {
  const { length } = bytes;
  const stated = length < SIZE_BYTES ? 0 : bufferOf(bytes).readUInt32LE(length - SIZE_BYTES);
  // What was packed is no smaller: another part, or a false size, is behind it.
  if (stated < length / 2) return PIECE_BYTES;
  // One more than stated: a piece that is full is followed by another.
  return Math.max(MIN_PIECE_BYTES, Math.min(stated + 1, maxBytes, length * MAX_EXPANSION));
}
