import { gunzipSync } from 'node:zlib';
import { Decompress } from 'fzstd';
import { IngestError } from '../errors.ts';
import { zstdNeeds } from './zstd-frames.ts';

/** @see contracts/streams.md section 17.5 */
export const MAX_BLOCK_BYTES = 128 * 1024 * 1024;

/**
 * Undoes gzip or zstd, which are told by their magic bytes and not by the file's name.
 *
 * @throws IngestError `malformed` when the compressed data is damaged, or larger than the limit.
 * @see contracts/streams.md section 9.1
 */
export function unpackBlock(bytes: Uint8Array, name: string, maxBytes = MAX_BLOCK_BYTES): Uint8Array {
  const unpacked = undo(bytes, name, maxBytes);
  if (unpacked.length > maxBytes) throw tooLarge(name, maxBytes);
  return unpacked;
}

function undo(bytes: Uint8Array, name: string, maxBytes: number): Uint8Array {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzip(bytes, name, maxBytes);
  const isZstd = bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
  return isZstd ? unzstd(bytes, name, maxBytes) : bytes;
}

function gunzip(bytes: Uint8Array, name: string, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name, maxBytes);
    throw damaged(name, (cause as Error).message, cause);
  }
}

function unzstd(bytes: Uint8Array, name: string, maxBytes: number): Uint8Array {
  const needs = zstdNeeds(bytes);
  if ('fault' in needs) throw damaged(name, needs.fault);
  if (needs.bytes > maxBytes) throw tooLarge(name, maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const stream = new Decompress((chunk) => {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(name, maxBytes);
      chunks.push(chunk);
    });
    stream.push(bytes, true);
  } catch (cause) {
    if (cause instanceof IngestError) throw cause;
    throw damaged(name, (cause as Error).message, cause);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string, maxBytes: number): IngestError {
  return new IngestError(
    'malformed',
    `The block file ${name} has more than ${maxBytes} bytes when it is unpacked`,
  );
}

function damaged(name: string, reason: string, cause?: unknown): IngestError {
  return new IngestError('malformed', `Malformed file ${name}: ${reason}`, { cause });
}
