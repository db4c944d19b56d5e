import { IngestError } from '../errors.ts';

/** Reads big-endian binary formats strictly; every error names the file. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #name: string;
  #offset = 0;

  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#name = name;
  }

  get offset(): number {
    return this.#offset;
  }

  get atEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  byte(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  int32(): number {
    return this.#view.getInt32(this.#advance(4));
  }

  /** Class ids exceed 2^63, so they are read without sign. */
  uint64(): bigint {
    return this.#view.getBigUint64(this.#advance(8));
  }

  /** The next class id without moving; null when fewer than eight bytes are left. */
  peekUint64(): bigint | null {
    return this.#offset + 8 <= this.#bytes.length ? this.#view.getBigUint64(this.#offset) : null;
  }

  /** A view of the next bytes, not a copy. */
  bytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** A length followed by that many bytes. */
  lengthPrefixed(minimum: number, maximum: number, what: string): Uint8Array {
    const length = this.int32();
    if (length < minimum || length > maximum) {
      throw this.malformed(`${what} length ${length} is not between ${minimum} and ${maximum}`);
    }
    return this.bytes(length);
  }

  expect(what: string, found: number | bigint, expected: number | bigint): void {
    if (found !== expected) throw this.malformed(`${what} is ${found}, expected ${expected}`);
  }

  expectEnd(): void {
    if (!this.atEnd) throw this.malformed(`${this.#bytes.length - this.#offset} bytes after the end`);
  }

  malformed(reason: string): IngestError {
    return new IngestError('malformed', `Malformed file ${this.#name}: ${reason} (at byte ${this.#offset})`);
  }

  #advance(length: number): number {
    const start = this.#offset;
    if (start + length > this.#bytes.length) throw this.malformed('the file is cut off');
    this.#offset = start + length;
    return start;
  }
}

export const HASH_CLASS_ID = 0xf422_da83_a251_741en;
const HASH_CLASS_VERSION = 1;
const SHA_384 = 0x58ff_811b;

/** Reads a hash object of the object stream formats, 68 bytes. @see contracts/streams.md section 2.2 */
export function readHashObject(reader: ByteReader, what: string): Uint8Array {
  expectClassId(reader, what, HASH_CLASS_ID);
  reader.expect(`the class version of ${what}`, reader.int32(), HASH_CLASS_VERSION);
  reader.expect(`the digest type of ${what}`, reader.int32(), SHA_384);
  reader.expect(`the length of ${what}`, reader.int32(), 48);
  return reader.bytes(48);
}

/** Reads a class id and compares it. */
export function expectClassId(reader: ByteReader, what: string, expected: bigint): void {
  const found = reader.uint64();
  if (found !== expected) throw reader.malformed(`${what} has class id 0x${found.toString(16)}`);
}
