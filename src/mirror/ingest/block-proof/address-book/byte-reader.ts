import { COMPRESSED, type G1Point, type G2Point, readG1, readG2, SCALAR_ORDER } from './bn254-points.ts';
import { demand } from './demand.ts';
import { readBelow } from './little-endian.ts';

/** Reads the members of a proof one after the other; every method throws FailedCheck `encoding`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #what: string;
  #at = 0;

  constructor(bytes: Uint8Array, what: string) {
    this.#bytes = bytes;
    this.#what = what;
  }

  g1(): G1Point {
    return readG1(this.#next(COMPRESSED.g1), this.#place());
  }

  g2(): G2Point {
    return readG2(this.#next(COMPRESSED.g2), this.#place());
  }

  scalar(): bigint {
    return readBelow(this.#next(32), SCALAR_ORDER, this.#place());
  }

  /** A list that says its own length, which has to be the expected one. */
  list<T>(length: number, read: () => T): readonly T[] {
    const said = Buffer.from(this.#next(8)).readBigUInt64LE();
    demand(said === BigInt(length), 'encoding', `${this.#place()} has ${said} members`);
    return Array.from({ length }, read);
  }

  end(): void {
    demand(this.#at === this.#bytes.length, 'encoding', `${this.#what} has bytes left over`);
  }

  #next(length: number): Uint8Array {
    const end = this.#at + length;
    demand(end <= this.#bytes.length, 'encoding', `${this.#what} is cut off`);
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }

  #place(): string {
    return `${this.#what} up to byte ${this.#at}`;
  }
}
