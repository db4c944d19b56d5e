import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** What the name of a packed soljson file ends with: one brotli stream. */
export const PACKED_ENDING = '.br';

/** No soljson file of a release is half as large. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a soljson file, packed or not, and checks what will run.
 *
 * Unpacking takes about a tenth of what loading takes, so nothing unpacked is kept on a disk.
 *
 * @param sha256 what the unpacked bytes must have, hex
 * @throws Error when they do not have it, or cannot be unpacked
 */
export function readSoljson(path: string, sha256: string): string {
  const bytes = unpacked(path, readFileSync(path));
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) {
    throw new Error(`The checksum of ${path} is ${actual}, the list has ${sha256}; the file is not run`);
  }
  return bytes.toString('utf8');
}

function unpacked(path: string, bytes: Buffer): Buffer {
  if (!path.endsWith(PACKED_ENDING)) return bytes;
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw new Error(`${path} cannot be unpacked: ${(cause as Error).message}; install the package anew`, {
      cause,
    });
  }
}
