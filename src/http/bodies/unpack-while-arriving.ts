import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { BodyError } from './body-errors.ts';

/** Up to here unpacked bodies may be as repetitive as they like. */
const RATIO_FLOOR_BYTES = 2_097_152;
/** Sources written by programs reach a tenth of this; an empty file has ten times as much. */
const LARGEST_RATIO = 100;
const UNPACKED_PIECE_BYTES = 65_536;
/** What unpacking takes while it lasts, whatever it gives. */
export const UNPACKING_BYTES = 131_072;

/** Told what becomes of a packed body. */
interface UnpackingListener {
  arrived(bytes: number): void;
  unpacked(piece: Buffer): void;
  ended(): void;
  failed(error: BodyError): void;
  /** True when nobody wants more. */
  isDone(): boolean;
}

/** Unpacks gzip while it arrives; the work is done in the thread pool. */
export function unpackWhileArriving(payload: Readable, listener: UnpackingListener): Gunzip {
  const gunzip = createGunzip({ chunkSize: UNPACKED_PIECE_BYTES });
  let unpackedBytes = 0;
  gunzip.on('data', (piece: Buffer) => {
    if (listener.isDone()) return;
    unpackedBytes += piece.length;
    // Counted are the bytes that were unpacked: what lies after the packed data changes nothing.
    if (unpackedBytes > RATIO_FLOOR_BYTES && unpackedBytes > LARGEST_RATIO * gunzip.bytesWritten) {
      const text = `The body unpacks to more than ${LARGEST_RATIO} times its size. Send it without Content-Encoding.`;
      listener.failed(new BodyError('body_ratio', text));
    } else listener.unpacked(piece);
  });
  gunzip.on('end', () => listener.ended());
  gunzip.on('error', (cause) =>
    listener.failed(new BodyError('body_not_gzip', 'The body is not valid gzip', { cause })),
  );
  gunzip.on('drain', () => payload.resume());
  payload.on('data', (piece: Buffer) => {
    if (listener.isDone()) return;
    listener.arrived(piece.length);
    if (!gunzip.write(piece)) payload.pause();
  });
  payload.on('end', () => {
    if (!listener.isDone()) gunzip.end();
  });
  return gunzip;
}
