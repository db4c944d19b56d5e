import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { bareHex } from '../../../values/hex.ts';
import { startKeccak256 } from '../../../values/keccak256.ts';

/** What the bytes of a file must hash to, hex without 0x. Several values of one kind can never all be met. */
export interface Checksums {
  readonly sha256: readonly string[];
  readonly keccak256: readonly string[];
}

/** Hex without 0x. */
export interface FileDigests {
  readonly sha256: string;
  /** Null when it was not asked for. */
  readonly keccak256: string | null;
}

/** Takes bytes piece by piece and gives SHA-256 and keccak-256 of all of them at the end, where it is called once. */
export function startDigest({ withKeccak }: { readonly withKeccak: boolean }) {
  const sha256 = createHash('sha256');
  const keccak = withKeccak ? startKeccak256() : null;
  return {
    update(bytes: Uint8Array): void {
      sha256.update(bytes);
      keccak?.update(bytes);
    },
    end: (): FileDigests => ({
      sha256: sha256.digest('hex'),
      keccak256: keccak === null ? null : bareHex(keccak.digest()),
    }),
  };
}

/** Reads a file in pieces, so that other work continues meanwhile. */
export async function digestFile(
  path: string,
  options: { readonly withKeccak: boolean },
): Promise<FileDigests> {
  const digest = startDigest(options);
  for await (const bytes of createReadStream(path)) digest.update(bytes as Buffer);
  return digest.end();
}

/**
 * Compares what a file hashes to with every checksum that is known for it.
 *
 * @returns null when all agree, else a sentence about the first that does not.
 */
export function describeMismatch(expected: Checksums, actual: FileDigests): string | null {
  const sha256 = expected.sha256.find((each) => each !== actual.sha256);
  if (sha256 !== undefined) return `its SHA-256 is ${actual.sha256}, the list has ${sha256}`;
  const keccak256 = expected.keccak256.find((each) => each !== actual.keccak256);
  if (keccak256 !== undefined) return `its keccak-256 is ${actual.keccak256}, the list has ${keccak256}`;
  return null;
}

/** Remembers what was made of a file as long as the file stays the same. */
export interface FileMemory<T> {
  /** @throws what `make` throws, and errors of the file system when there is no such file; neither is remembered. */
  get(path: string, make: () => Promise<T>): Promise<T>;
}

/** A file counts as the same while its number, size and times of change, down to the nanosecond, are. */
export function createFileMemory<T>(): FileMemory<T> {
  const known = new Map<string, { readonly stamp: string; readonly value: Promise<T> }>();
  return {
    async get(path, make) {
      const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
      const stamp = [ino, size, mtimeNs, ctimeNs].join('/');
      const before = known.get(path);
      if (before?.stamp === stamp) return before.value;
      const entry = { stamp, value: make() };
      known.set(path, entry);
      entry.value.catch(() => {
        if (known.get(path) === entry) known.delete(path);
      });
      return entry.value;
    },
  };
}
