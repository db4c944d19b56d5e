import { gunzipSync } from 'node:zlib';
import { IngestError, malformedFile } from '../errors.ts';
import { sha384 } from '../sha384.ts';
import type { RecordFile } from './record-file.ts';
import { fileHashV1V2, parseRecordFileV1V2 } from './record-file-v1-v2.ts';
import { parseRecordFileV5 } from './record-file-v5.ts';
import { parseRecordFileV6 } from './record-file-v6.ts';

/** Bytes; far above any real file, it stops decompression bombs. */
const MAX_UNCOMPRESSED_SIZE = 256 * 1024 * 1024;

/**
 * Undoes gzip, which is told by its magic bytes and not by the file's name.
 *
 * @throws IngestError `malformed` when the compressed data is damaged.
 */
export function decompress(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNCOMPRESSED_SIZE });
  } catch (cause) {
    throw new IngestError('malformed', `Malformed file ${name}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Reads an uncompressed record file of any version.
 *
 * @throws IngestError `unsupported_version`, `malformed`, `no_items`.
 * @see contracts/streams.md section 2
 */
export function parseRecordFile(bytes: Uint8Array, name: string): RecordFile {
  switch (recordFileVersion(bytes, name)) {
    case 1:
    case 2:
      return parseRecordFileV1V2(bytes, name);
    case 5:
      return parseRecordFileV5(bytes, name);
    case 6:
      return parseRecordFileV6(bytes, name);
  }
}

/**
 * The hash that nodes sign, found without parsing the file, so that damage is told from a bad format.
 *
 * @throws IngestError `unsupported_version`, `malformed`.
 */
export function recordFileHash(bytes: Uint8Array, name: string): Uint8Array {
  const version = recordFileVersion(bytes, name);
  return version === 2 ? fileHashV1V2(bytes, 2) : sha384(bytes);
}

function recordFileVersion(bytes: Uint8Array, name: string): 1 | 2 | 5 | 6 {
  if (bytes.length < 4) throw malformedFile(name, 'the file is cut off');
  const version = new DataView(bytes.buffer, bytes.byteOffset).getInt32(0);
  if (version === 1 || version === 2 || version === 5 || version === 6) return version;
  throw new IngestError('unsupported_version', `Unsupported record file version ${version} in file ${name}`);
}
