import { join } from 'node:path';
import type { PageDisk } from './page-disk.ts';
import {
  decodeEntries,
  ENTRY_BYTES,
  encodeEntry,
  HEADER_BYTES,
  type SegmentOrigin,
  segmentHeader,
} from './segment-index.ts';

/** A block ready to be written. */
export interface NewBlock {
  /** Time of its oldest row. */
  readonly firstTime: bigint;
  readonly bytes: Buffer;
}

/** The two files of a segment: blocks, and an index with an entry for each. */
export function segmentFiles(
  folder: string,
  number: number,
): { readonly index: string; readonly rows: string } {
  const path = join(folder, String(number).padStart(8, '0'));
  return { index: `${path}.index`, rows: `${path}.rows` };
}

/** Some blocks that follow each other, in open files. 16 bytes of a block are in memory. */
export class Segment {
  readonly number: number;
  readonly #disk: PageDisk;
  readonly #origin: SegmentOrigin;
  readonly #index: number;
  readonly #rows: number;
  readonly #firstTimes: BigInt64Array;
  readonly #ends: Float64Array;
  #count = 0;

  private constructor(disk: PageDisk, folder: string, origin: SegmentOrigin, number: number, isNew: boolean) {
    const files = segmentFiles(folder, number);
    const { blocksPerSegment } = origin.layout;
    this.number = number;
    this.#disk = disk;
    this.#origin = origin;
    this.#index = disk.open(files.index, isNew ? 'new' : 'present');
    try {
      this.#rows = disk.open(files.rows, isNew ? 'new' : 'present');
    } catch (error) {
      disk.close(this.#index);
      throw error;
    }
    this.#firstTimes = new BigInt64Array(blocksPerSegment);
    this.#ends = new Float64Array(blocksPerSegment);
  }

  /** A new one, in place of what has its number. */
  static create(disk: PageDisk, folder: string, origin: SegmentOrigin, number: number): Segment {
    return new Segment(disk, folder, origin, number, true);
  }

  /** The one on disk, up to the first damaged entry; null when it belongs to another origin or is empty. */
  static open(disk: PageDisk, folder: string, origin: SegmentOrigin, number: number): Segment | null {
    const segment = new Segment(disk, folder, origin, number, false);
    segment.#readIndex();
    if (segment.#count > 0) return segment;
    segment.close();
    return null;
  }

  get count(): number {
    return this.#count;
  }

  firstTime(place: number): bigint {
    return this.#firstTimes[place] ?? 0n;
  }

  /** How many blocks begin at or before a time. */
  countUntil(time: bigint): number {
    let [first, end] = [0, this.#count];
    while (first < end) {
      const middle = (first + end) >>> 1;
      if ((this.#firstTimes[middle] ?? 0n) <= time) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  sizeOf(place: number): number {
    return (this.#ends[place] ?? 0) - this.#startOf(place);
  }

  /** Reads `bytes` of a block, from its byte `from` on. @throws Error when they are not there */
  read(place: number, from: number, bytes: number, target: Buffer, at: number): void {
    const found = this.#disk.read(this.#rows, target, at, bytes, this.#startOf(place) + from);
    if (found !== bytes) throw new Error(`block ${place} of segment ${this.number} ends early`);
  }

  /** Writes blocks behind the last one; they count when all are written. */
  async append(blocks: readonly NewBlock[]): Promise<void> {
    const start = this.#startOf(this.#count);
    const entries = this.#count === 0 ? [segmentHeader(this.#origin, this.number)] : [];
    const entriesAt = this.#count === 0 ? 0 : HEADER_BYTES + this.#count * ENTRY_BYTES;
    let end = start;
    blocks.forEach(({ bytes, firstTime }, number) => {
      const place = this.#count + number;
      end += bytes.length;
      this.#firstTimes[place] = firstTime;
      this.#ends[place] = end;
      entries.push(encodeEntry({ firstTime, end }, place));
    });
    await this.#disk.write(this.#rows, Buffer.concat(blocks.map(({ bytes }) => bytes)), start);
    await this.#disk.write(this.#index, Buffer.concat(entries), entriesAt);
    this.#count += blocks.length;
  }

  dropLast(): void {
    this.#count -= 1;
    this.#cutIndex();
  }

  close(): void {
    this.#disk.close(this.#index);
    this.#disk.close(this.#rows);
  }

  #startOf(place: number): number {
    return place === 0 ? 0 : (this.#ends[place - 1] ?? 0);
  }

  #readIndex(): void {
    const { blocksPerSegment } = this.#origin.layout;
    const size = Math.min(this.#disk.sizeOf(this.#index), HEADER_BYTES + blocksPerSegment * ENTRY_BYTES);
    const bytes = Buffer.alloc(size);
    const isWhole = this.#disk.read(this.#index, bytes, 0, size, 0) === size;
    if (!isWhole || !bytes.subarray(0, HEADER_BYTES).equals(segmentHeader(this.#origin, this.number))) return;
    const entries = decodeEntries(bytes.subarray(HEADER_BYTES), this.#disk.sizeOf(this.#rows));
    entries.forEach(({ end, firstTime }, place) => {
      this.#firstTimes[place] = firstTime;
      this.#ends[place] = end;
    });
    this.#count = entries.length;
    this.#cutIndex();
  }

  /** Entries behind a dropped one must not come to life again when that one is overwritten. */
  #cutIndex(): void {
    this.#disk.truncate(this.#index, HEADER_BYTES + this.#count * ENTRY_BYTES);
  }
}
