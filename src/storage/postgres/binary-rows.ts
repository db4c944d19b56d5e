import type { BulkRows } from '../sql/bulk.ts';
import type { SqlValue } from '../sql/sql.ts';
import { toText } from './postgres-types.ts';

const CHUNK_BYTES = 1 << 18;
const INT64_BYTES = 8;
/** Signature, flags and an empty extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const NULL_LENGTH = -1;
const END = -1;

/**
 * Rows in the binary format of COPY: integers as int64, texts, bytes and nulls.
 *
 * @see https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4
 */
export class BinaryRows {
  readonly #chunks: Buffer[] = [];
  #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #filled = 0;
  #count = 0;

  /** @param width how many columns a row has */
  static of(rows: BulkRows, width: number): BinaryRows {
    const made = new BinaryRows();
    made.#filled = HEADER.copy(made.#chunk);
    rows.forEach((row) => {
      made.#add(row, width);
    });
    made.#room(2);
    made.#filled = made.#chunk.writeInt16BE(END, made.#filled);
    made.#chunks.push(made.#chunk.subarray(0, made.#filled));
    return made;
  }

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /** Their bytes, with header and end. */
  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  #add(row: readonly SqlValue[], width: number): void {
    this.#count += 1;
    this.#room(2 + width * (4 + INT64_BYTES));
    this.#filled = this.#chunk.writeInt16BE(width, this.#filled);
    for (let at = 0; at < width; at++) this.#value(row[at] ?? null);
  }

  #value(value: SqlValue): void {
    if (value === null) {
      this.#room(4);
      this.#filled = this.#chunk.writeInt32BE(NULL_LENGTH, this.#filled);
    } else if (typeof value === 'bigint' || typeof value === 'number') {
      this.#room(4 + INT64_BYTES);
      this.#filled = this.#chunk.writeInt32BE(INT64_BYTES, this.#filled);
      this.#filled = this.#chunk.writeBigInt64BE(BigInt(value), this.#filled);
    } else if (typeof value === 'string') {
      const text = toText(value);
      // A UTF-16 unit takes at most three bytes of UTF-8.
      this.#room(4 + 3 * text.length);
      const bytes = this.#chunk.write(text, this.#filled + 4);
      this.#chunk.writeInt32BE(bytes, this.#filled);
      this.#filled += 4 + bytes;
    } else {
      this.#room(4 + value.length);
      this.#filled = this.#chunk.writeInt32BE(value.length, this.#filled);
      this.#chunk.set(value, this.#filled);
      this.#filled += value.length;
    }
  }

  #room(bytes: number): void {
    if (this.#filled + bytes <= this.#chunk.length) return;
    if (this.#filled > 0) this.#chunks.push(this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, bytes));
    this.#filled = 0;
  }
}
