import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { EMPTY_PAGE, ROW_SEPARATOR } from '../page-text.ts';
import type { PageRows, TransactionFilter, TransactionPage } from '../transaction-filter.ts';
import type { BlockDirectories } from './block-directories.ts';
import type { BlockFormat } from './block-format.ts';
import type { PageSegments } from './page-segments.ts';

/** What of the ledger a page file has: everything from its oldest row to the newest one in the file. */
export interface Coverage {
  /** Time of the oldest row of the ledger; blocks may have older rows, which were deleted. */
  readonly oldest: bigint;
  /** Time of the newest row in the file. */
  readonly newest: bigint;
}

/** Numbers of rows, both included; empty when `low` is above `high`. */
interface RowRange {
  readonly low: number;
  readonly high: number;
}

/** Rows of a page that lie in one block: `rows` from the row `index` on, their texts from `start` to `end`. */
interface Piece {
  readonly block: number;
  readonly index: number;
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** Finds pages among the rows of a page file and reads them. Rows are counted like blocks. */
export class PageReader {
  readonly #segments: PageSegments;
  readonly #directories: BlockDirectories;
  readonly #format: BlockFormat;
  #scratch = Buffer.alloc(0);

  constructor(segments: PageSegments, directories: BlockDirectories, format: BlockFormat) {
    this.#segments = segments;
    this.#directories = directories;
    this.#format = format;
  }

  /**
   * The page of a filter that has bounds of time alone.
   *
   * @param fallback gives the rows when they cannot be read any more; called with what the disk said.
   * @returns null when rows that are not in the file may belong to it or follow it.
   */
  page(
    { limit, lower, order, upper }: TransactionFilter,
    { newest, oldest }: Coverage,
    fallback: (fault: unknown) => PageRows,
  ): TransactionPage | null {
    const isDescending = order === 'desc';
    if ((isDescending ? upper : lower) > newest) return null;
    const from = lower > oldest ? lower : oldest;
    const { high, low } = isDescending
      ? this.#rowsDown(from, upper, limit)
      : this.#rowsUp(from, upper, limit);
    const found = high - low + 1;
    // Rows behind the file may follow those in it.
    if (upper > newest && found <= limit) return null;
    if (found <= 0) return EMPTY_PAGE;
    const count = Math.min(found, limit);
    const top = isDescending ? high : low + count - 1;
    const bottom = top - count + 1;
    return {
      count,
      first: printTimestamp(this.#timeOf(isDescending ? top : bottom)),
      last: printTimestamp(this.#timeOf(isDescending ? bottom : top)),
      hasMore: found > limit,
      rows: this.#rows(top, count, isDescending, fallback),
    };
  }

  #rows(top: number, count: number, isDescending: boolean, fallback: (fault: unknown) => PageRows): PageRows {
    const pieces = this.#piecesOf(top, count);
    let byteLength = -ROW_SEPARATOR.length;
    for (const { end, start } of pieces) byteLength += end - start;
    const writeTo = (target: Buffer, at: number): void => {
      try {
        if (isDescending) this.#writeDescending(pieces, byteLength, target, at);
        else this.#writeAscending(pieces, byteLength, target, at);
      } catch (fault) {
        // Whatever reading throws is the disk's: the database has the same rows.
        const rows = fallback(fault);
        if (rows.byteLength !== byteLength) throw fault;
        rows.writeTo(target, at);
      }
    };
    return {
      byteLength,
      writeTo,
      text() {
        const text = Buffer.allocUnsafe(byteLength);
        writeTo(text, 0);
        return text.toString('latin1');
      },
    };
  }

  /** The rows of a range, or the newest of them with one more than `limit`. */
  #rowsDown(from: bigint, upper: bigint, limit: number): RowRange {
    const high = this.#newestAtMost(upper);
    const low = high - limit;
    // A look at one row spares most pages the second search.
    const isFull = low >= this.#segments.first * this.#format.rows && this.#timeOf(low) >= from;
    return { high, low: isFull ? low : this.#newestAtMost(from - 1n) + 1 };
  }

  /** The rows of a range, or the oldest of them with one more than `limit`. */
  #rowsUp(from: bigint, upper: bigint, limit: number): RowRange {
    const low = this.#newestAtMost(from - 1n) + 1;
    const high = low + limit;
    const isFull = high < this.#segments.end * this.#format.rows && this.#timeOf(high) <= upper;
    return { low, high: isFull ? high : this.#newestAtMost(upper) };
  }

  /** Number of the newest row at or before a time; the one before the oldest row of the file when there is none. */
  #newestAtMost(time: bigint): number {
    const { rows } = this.#format;
    const block = this.#segments.newestUntil(time);
    if (block < this.#segments.first) return this.#segments.first * rows - 1;
    const at = this.#directories.at(block);
    let [newest, oldest] = [0, rows - 1];
    while (newest < oldest) {
      const middle = (newest + oldest) >>> 1;
      if (this.#format.timeOf(this.#directories.bytes, at, middle) <= time) oldest = middle;
      else newest = middle + 1;
    }
    return block * rows + rows - 1 - newest;
  }

  #timeOf(row: number): bigint {
    const { rows } = this.#format;
    const block = Math.floor(row / rows);
    const at = this.#directories.at(block);
    return this.#format.timeOf(this.#directories.bytes, at, rows - 1 - (row - block * rows));
  }

  #writeDescending(pieces: readonly Piece[], byteLength: number, target: Buffer, at: number): void {
    let [to, left] = [at, byteLength];
    for (const { block, end, start } of pieces) {
      // Without the separator of the last row.
      const bytes = Math.min(end - start, left);
      this.#segments.read(block, this.#format.directoryBytes + start, bytes, target, to);
      to += bytes;
      left -= bytes;
    }
  }

  /** Fills the page from its end, since the newest row of a block is its first. */
  #writeAscending(pieces: readonly Piece[], byteLength: number, target: Buffer, at: number): void {
    // The newest row is the last of the page and the one without a separator.
    const pageEnd = at + byteLength + ROW_SEPARATOR.length;
    let to = pageEnd;
    for (const { block, end, index, rows, start } of pieces) {
      const bytes = end - start;
      if (this.#scratch.length < bytes) this.#scratch = Buffer.allocUnsafeSlow(bytes * 2);
      this.#segments.read(block, this.#format.directoryBytes + start, bytes, this.#scratch, 0);
      const directory = this.#directories.at(block);
      let from = 0;
      for (let row = index; row < index + rows; row++) {
        const next = this.#format.startOf(this.#directories.bytes, directory, row + 1) - start;
        const separator = to === pageEnd ? ROW_SEPARATOR.length : 0;
        to -= next - from;
        this.#scratch.copy(target, to, from, next - separator);
        from = next;
      }
    }
  }

  /** Where the texts of `count` rows from `top` down lie. */
  #piecesOf(top: number, count: number): readonly Piece[] {
    const pieces: Piece[] = [];
    const perBlock = this.#format.rows;
    for (let [row, left] = [top, count]; left > 0; ) {
      const block = Math.floor(row / perBlock);
      const index = perBlock - 1 - (row - block * perBlock);
      const rows = Math.min(left, perBlock - index);
      const at = this.#directories.at(block);
      const start = this.#format.startOf(this.#directories.bytes, at, index);
      const end = this.#format.startOf(this.#directories.bytes, at, index + rows);
      pieces.push({ block, index, rows, start, end });
      row -= rows;
      left -= rows;
    }
    return pieces;
  }
}
