import { crc32 } from 'node:zlib';
import { ROW_SEPARATOR } from '../page-text.ts';

/** A list object with its consensus time in nanoseconds. */
export interface StoredRow {
  readonly time: bigint;
  /** ASCII. */
  readonly json: string;
}

/**
 * How a block of a page file lies in bytes, little endian: a checksum of all that follows (4), zeros (4), the times of
 * the rows (8 each), where the text of each ends (4 each, counted from the first text), the texts.
 *
 * The newest row is first and each text has its separator behind it, so that a descending page is one piece of a block.
 */
export interface BlockFormat {
  readonly rows: number;
  /** Bytes before the texts. */
  readonly directoryBytes: number;
  /** @param rows exactly as many as a block has, ascending by time */
  encode(rows: readonly StoredRow[]): Buffer;
  /** Whether `block` is what `encode` made. */
  isIntact(block: Buffer): boolean;
  /** Time of row `index`, 0 for the newest; the directory begins at byte `at`. */
  timeOf(directory: Buffer, at: number, index: number): bigint;
  /** Where the text of row `index` begins and the one before it ends; `rows` gives the end of the last. */
  startOf(directory: Buffer, at: number, index: number): number;
}

const CHECKSUM_BYTES = 4;
const TIMES_AT = 8;
const TIME_BYTES = 8;
const END_BYTES = 4;

/** The format of blocks with that many rows. */
export function createBlockFormat(rows: number): BlockFormat {
  const endsAt = TIMES_AT + rows * TIME_BYTES;
  const directoryBytes = endsAt + rows * END_BYTES;
  return {
    rows,
    directoryBytes,
    encode(ascending) {
      const textBytes = ascending.reduce((sum, { json }) => sum + json.length + ROW_SEPARATOR.length, 0);
      const block = Buffer.allocUnsafe(directoryBytes + textBytes);
      let at = directoryBytes;
      for (let index = 0; index < rows; index++) {
        const row = ascending[rows - 1 - index];
        if (row === undefined) throw new RangeError(`a block has ${rows} rows, not ${ascending.length}`);
        block.writeBigInt64LE(row.time, TIMES_AT + index * TIME_BYTES);
        at += block.write(row.json, at, 'latin1');
        at += block.write(ROW_SEPARATOR, at, 'latin1');
        block.writeUInt32LE(at - directoryBytes, endsAt + index * END_BYTES);
      }
      block.writeUInt32LE(0, CHECKSUM_BYTES);
      block.writeUInt32LE(crc32(block.subarray(CHECKSUM_BYTES)), 0);
      return block;
    },
    isIntact: (block) =>
      block.length > directoryBytes && block.readUInt32LE(0) === crc32(block.subarray(CHECKSUM_BYTES)),
    timeOf: (directory, at, index) => directory.readBigInt64LE(at + TIMES_AT + index * TIME_BYTES),
    startOf: (directory, at, index) =>
      index === 0 ? 0 : directory.readUInt32LE(at + endsAt + (index - 1) * END_BYTES),
  };
}
