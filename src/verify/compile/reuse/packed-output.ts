import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { KeptOutput } from './output-cache.ts';

const compress = promisify(gzip);
const unpack = promisify(gunzip);

/** A third of the size at about the speed of the fastest level. */
const COMPRESSION = { level: 3 };
const CHECKSUM_BYTES = 32;

/** An output as bytes: the SHA-256 of the rest, then JSON in gzip. */
export async function packOutput(output: KeptOutput): Promise<Buffer> {
  const body = await compress(JSON.stringify(output), COMPRESSION);
  return Buffer.concat([checksum(body), body]);
}

/** @returns null when the bytes are not those that were packed. */
export async function unpackOutput(bytes: Buffer): Promise<KeptOutput | null> {
  const body = bytes.subarray(CHECKSUM_BYTES);
  if (!checksum(body).equals(bytes.subarray(0, CHECKSUM_BYTES))) return null;
  return JSON.parse((await unpack(body)).toString('utf8')) as KeptOutput;
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
