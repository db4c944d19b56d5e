import { createHash } from 'node:crypto';
import type { CopiedRow } from './copy-end.ts';

const MODULUS = 1n << 256n;

/** What a table holds, in short: the same for the same rows, in whatever order they come. */
export interface TableDigest {
  readonly rows: number;
  /** Hexadecimal. */
  readonly digest: string;
}

/**
 * Adds up the SHA-256 of each row.
 *
 * A sum, since the order of texts with U+0000 differs between databases; rows of a table differ from each other.
 */
export class DigestOfRows {
  #rows = 0;
  #sum = 0n;

  add(row: CopiedRow): void {
    const hash = createHash('sha256');
    for (const value of row) {
      if (value === null) hash.update('n');
      else if (typeof value === 'string') hash.update(`t${Buffer.byteLength(value)}:`).update(value);
      else if (typeof value === 'object') hash.update(`b${value.byteLength}:`).update(value);
      else hash.update(`i${value};`);
    }
    this.#rows += 1;
    this.#sum += BigInt(`0x${hash.digest('hex')}`);
  }

  get result(): TableDigest {
    return { rows: this.#rows, digest: (this.#sum % MODULUS).toString(16).padStart(64, '0') };
  }
}
