import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { ByteBoundMap } from '../../byte-bound-map.ts';
import type { Compilation } from '../compiler.ts';

/** The outputs of a successful compilation; the input is known to who asks. */
export interface KeptOutput {
  readonly compilation: Omit<Compilation, 'input'>;
  /** How long the compiler worked for it. */
  readonly milliseconds: number;
}

/**
 * Keeps outputs of compilers between runs of the server. Any entry may be gone at any time.
 *
 * @see contracts/verification-engine.md section 13
 */
export interface OutputCache {
  /** @returns null when nothing usable is kept under this key. */
  read(key: string): Promise<KeptOutput | null>;
  /** Keeps an output, which may push out those that were not used for the longest time. */
  write(key: string, output: KeptOutput): Promise<void>;
  /** Resolves when what is being written is written, or has failed. */
  settled(): Promise<void>;
}

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

/** Keeps outputs until the process ends, for servers whose database lives no longer either. */
export function createMemoryOutputCache({ maxBytes }: { readonly maxBytes: number }): OutputCache {
  const outputs = new ByteBoundMap<string, Buffer>(maxBytes);
  return {
    async read(key) {
      const bytes = outputs.get(key);
      return bytes === null ? null : unpackOutput(bytes);
    },
    async write(key, output) {
      const bytes = await packOutput(output);
      outputs.set(key, bytes, bytes.length);
    },
    async settled() {},
  };
}
