import type pg from 'pg';
import type { Rows, Table } from '../../values/stored-tables.ts';
import type { Work } from '../../values/work.ts';
import type { SqlValue } from '../sql/sql.ts';
import { toText } from './postgres-types.ts';

/** The types that columns of copied rows may have. */
export const COPIED_TYPES: ReadonlySet<string | undefined> = new Set(['bigint', 'text', 'bytea']);

/**
 * Stores rows by COPY; they are taken at once.
 *
 * @see docs/adr/0008-postgresql.md
 */
export function copyOf({ columns, name }: Table, rows: Rows) {
  const binary = BinaryRows.of(rows, columns.length);
  return {
    count: binary.count,
    /** @throws Error with code 23505 when a row has a key that is there already; nothing is stored then. */
    *send(): Work<void> {
      if (binary.count === 0) return;
      const text = `copy ${name} (${columns.join(', ')}) from stdin (format binary)`;
      yield (connection) => (connection as pg.ClientBase).query(new CopyIn(text, binary.takeChunks())).done;
    },
  };
}

/** What of pg's connection sends rows; its type declarations leave it out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * A statement `copy … from stdin` with its rows, as a client of pg runs it.
 *
 * All rows are handed to the socket when the database asks for them: they are in memory anyway. When it refuses one of
 * them it drops the others, and the connection goes on.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
export class CopyIn implements pg.Submittable {
  /** Ends with the statement. @throws Error of the database. */
  readonly done: Promise<void>;
  readonly #text: string;
  readonly #chunks: Buffer[];
  #resolve = (): void => {};
  #reject: (error: Error) => void = () => {};

  /** @param chunks rows in the format of the statement; they are emptied */
  constructor(text: string, chunks: Buffer[]) {
    this.#text = text;
    this.#chunks = chunks;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** The client puts its own in the place of this where queries have a time limit. */
  callback: (error?: Error) => void = () => {};

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    // Each is copied into its message: it need not stay until the last one is.
    for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
      connection.sendCopyFromChunk(chunk);
    }
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback();
    this.#resolve();
  }

  handleError(error: Error): void {
    this.callback(error);
    this.#reject(error);
  }
}

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
class BinaryRows {
  readonly #chunks: Buffer[] = [];
  #chunk: Buffer = Buffer.alloc(0);
  // A buffer writes an int64 by shifts of a bigint, each of which makes another one.
  #view = viewOf(this.#chunk);
  #filled = 0;
  #count = 0;

  /** @param width how many columns a row has */
  static of(rows: Rows, width: number): BinaryRows {
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
