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
  #chunk: Buffer = Buffer.alloc(0);
  // A buffer writes an int64 by shifts of a bigint, each of which makes another one.
  #view = viewOf(this.#chunk);
  #filled = 0;
  #count = 0;

  /** @param width how many columns a row has */
  static of(rows: BulkRows, width: number): BinaryRows {
    const made = new BinaryRows();
    rows.forEach((row) => {
      made.#add(row, width);
    });
    if (made.#count === 0) return made;
    made.#room(2);
    made.#filled = made.#chunk.writeInt16BE(END, made.#filled);
    made.#chunks.push(made.#chunk.subarray(0, made.#filled));
    return made;
  }

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /** Gives their bytes away, with header and end; none without rows. */
  takeChunks(): Buffer[] {
    return this.#chunks.splice(0);
  }

  #add(row: readonly SqlValue[], width: number): void {
    if (this.#count === 0) {
      this.#room(HEADER.length);
      this.#filled = HEADER.copy(this.#chunk);
    }
    this.#count += 1;
    this.#room(2 + width * (4 + INT64_BYTES));
    this.#view.setInt16(this.#filled, width);
    this.#filled += 2;
    for (let at = 0; at < width; at++) this.#value(row[at] ?? null);
  }

  #value(value: SqlValue): void {
    if (value === null) {
      this.#room(4);
      this.#length(NULL_LENGTH);
    } else if (typeof value === 'bigint' || typeof value === 'number') {
      this.#room(4 + INT64_BYTES);
      this.#length(INT64_BYTES);
      this.#view.setBigInt64(this.#filled, checkedInt64(BigInt(value)));
      this.#filled += INT64_BYTES;
    } else if (typeof value === 'string') {
      const text = toText(value);
      // A UTF-16 unit takes at most three bytes of UTF-8.
      this.#room(4 + 3 * text.length);
      const bytes = this.#chunk.write(text, this.#filled + 4);
      this.#length(bytes);
      this.#filled += bytes;
    } else {
      this.#room(4 + value.length);
      this.#length(value.length);
      this.#chunk.set(value, this.#filled);
      this.#filled += value.length;
    }
  }

  #length(bytes: number): void {
    this.#view.setInt32(this.#filled, bytes);
    this.#filled += 4;
  }

  #room(bytes: number): void {
    if (this.#filled + bytes <= this.#chunk.length) return;
    if (this.#filled > 0) this.#chunks.push(this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, bytes));
    this.#view = viewOf(this.#chunk);
    this.#filled = 0;
  }
}

/** @throws RangeError for a number that the column cannot hold, of which only the lower bits would be stored. */
function checkedInt64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} is not an int64`);
  return value;
}

function viewOf({ buffer, byteLength, byteOffset }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
