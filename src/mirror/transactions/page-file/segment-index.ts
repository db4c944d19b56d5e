import { crc32 } from 'node:zlib';
import type { PageLayout } from './page-layout.ts';

/** What is known of a block without reading it. */
export interface BlockEntry {
  /** Time of its oldest row. */
  readonly firstTime: bigint;
  /** Where it ends in the file of its segment. */
  readonly end: number;
}

/** What a segment must have been written for. */
export interface SegmentOrigin {
  readonly layout: PageLayout;
  readonly dialect: string;
  /** Names the ledger and counts the changes of rows that were stored before. */
  readonly edition: string;
}

const FORMAT = 1;
export const HEADER_BYTES = 256;
export const ENTRY_BYTES = 24;
const CHECKED_BYTES = 20;

/** The first bytes of an index: only a segment with exactly these is used. */
export function segmentHeader({ dialect, edition, layout }: SegmentOrigin, segment: number): Buffer {
  const text = JSON.stringify({ format: FORMAT, dialect, edition, ...layout, segment });
  return Buffer.from(`${text.padEnd(HEADER_BYTES - 1)}\n`, 'latin1');
}

/** An entry: time (8), end (8), its place in the index (4), checksum (4), little endian. */
export function encodeEntry({ end, firstTime }: BlockEntry, place: number): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeBigInt64LE(firstTime, 0);
  entry.writeBigInt64LE(BigInt(end), 8);
  entry.writeUInt32LE(place, 16);
  entry.writeUInt32LE(crc32(entry.subarray(0, CHECKED_BYTES)), CHECKED_BYTES);
  return entry;
}

/**
 * The entries of an index up to the first that is damaged, cut off, out of order, or names bytes that are not there.
 *
 * @param index the index without its header
 * @param rowsBytes size of the file with the blocks
 */
export function decodeEntries(index: Buffer, rowsBytes: number): readonly BlockEntry[] {
  const entries: BlockEntry[] = [];
  let before: BlockEntry = { firstTime: -1n, end: 0 };
  for (let at = 0; at + ENTRY_BYTES <= index.length; at += ENTRY_BYTES) {
    const checked = index.subarray(at, at + CHECKED_BYTES);
    if (crc32(checked) !== index.readUInt32LE(at + CHECKED_BYTES)) break;
    if (checked.readUInt32LE(16) !== entries.length) break;
    const entry = { firstTime: checked.readBigInt64LE(0), end: Number(checked.readBigInt64LE(8)) };
    if (entry.firstTime <= before.firstTime || entry.end <= before.end || entry.end > rowsBytes) break;
    entries.push(entry);
    before = entry;
  }
  return entries;
}
