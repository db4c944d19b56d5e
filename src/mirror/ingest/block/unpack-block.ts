import { Decompress } from 'fzstd';
import { IngestError } from '../errors.ts';
import { gunzip } from '../gunzip.ts';

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
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipBlock(bytes, name, maxBytes);
  const isZstd = bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
  return isZstd ? unzstd(bytes, name, maxBytes) : bytes;
}

function gunzipBlock(bytes: Uint8Array, name: string, maxBytes: number): Uint8Array {
  try {
    return gunzip(bytes, maxBytes);
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

/** What frames of zstd ask for before anything is unpacked, or why they cannot be read. */
type ZstdNeeds = { readonly bytes: number } | { readonly fault: string };

const MAGIC = 0xfd2f_b528;
const SKIPPABLE = 0x184d_2a50;
const CHECKSUM_BYTES = 4;
/** Bytes of the dictionary id and of the content size, by their flags. */
const DICTIONARY_BYTES = [0, 1, 2, 4];
const CONTENT_BYTES = [0, 2, 4, 8];
/** Types of blocks inside a frame. */
const REPEATED_BYTE = 1;
const RESERVED = 3;
/** Writers make one, those that work in parallel some dozens. */
const MAX_FRAMES = 1000;

/**
 * Walks over the frames without unpacking them.
 *
 * An unpacker allocates the window that a frame asks for at once, so a few bytes could ask for gigabytes, and do so
 * again with each frame.
 *
 * @returns the sum over the frames of the larger of the window and the content that each states.
 * @see RFC 8878 section 3.1
 */
export function zstdNeeds(file: Uint8Array): ZstdNeeds {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let [frames, needed] = [0, 0];
  try {
    for (let at = 0; at < file.length; ) {
      const magic = view.getUint32(at, true);
      if ((magic & 0xffff_fff0) >>> 0 === SKIPPABLE) {
        at += 8 + view.getUint32(at + 4, true);
        continue;
      }
      if (magic !== MAGIC) return { fault: 'a frame of another format follows' };
      if (++frames > MAX_FRAMES) return { fault: `it has more than ${MAX_FRAMES} frames` };
      const flags = view.getUint8(at + 4);
      const isSingle = (flags & 0x20) !== 0;
      at += 5;
      let window = 0;
      if (!isSingle) {
        const sizes = view.getUint8(at);
        const base = 2 ** (10 + (sizes >> 3));
        window = base + (base / 8) * (sizes & 7);
        at += 1;
      }
      at += DICTIONARY_BYTES[flags & 3] ?? 0;
      const size = flags >> 6 === 0 && isSingle ? 1 : (CONTENT_BYTES[flags >> 6] ?? 0);
      needed += Math.max(window, contentSize(view, at, size));
      at += size;
      for (let isLast = false; !isLast; ) {
        const head = view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_0000;
        const type = (head >> 1) & 3;
        isLast = (head & 1) === 1;
        if (type === RESERVED) return { fault: 'a block has a reserved type' };
        at += 3 + (type === REPEATED_BYTE ? 1 : head >> 3);
      }
      if ((flags & 4) !== 0) at += CHECKSUM_BYTES;
      if (at > file.length) return { fault: 'it is cut off' };
    }
  } catch (error) {
    if (error instanceof RangeError) return { fault: 'it is cut off' };
    throw error;
  }
  return { bytes: needed };
}

function contentSize(view: DataView, at: number, size: number): number {
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getUint16(at, true) + 256;
  if (size === 4) return view.getUint32(at, true);
  return size === 8 ? Number(view.getBigUint64(at, true)) : 0;
}
