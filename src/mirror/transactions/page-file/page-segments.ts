import { setImmediate } from 'node:timers/promises';
import type { PageDisk } from './page-disk.ts';
import { type NewBlock, Segment, segmentFiles } from './segment.ts';
import type { SegmentOrigin } from './segment-index.ts';

const FILE_NAME = /^(\d{8})\.(?:index|rows)$/;

/**
 * The blocks of a page file, in the order of time, in numbered segments of a folder.
 *
 * Blocks are counted through all segments, also those that were dropped.
 */
export class PageSegments {
  readonly #disk: PageDisk;
  readonly #folder: string;
  readonly #blocksPerSegment: number;
  /** Their numbers follow each other; all but the last are full. */
  #segments: Segment[] = [];

  constructor(disk: PageDisk, folder: string, blocksPerSegment: number) {
    this.#disk = disk;
    this.#folder = folder;
    this.#blocksPerSegment = blocksPerSegment;
  }

  /** Number of the oldest block. */
  get first(): number {
    return (this.#segments[0]?.number ?? 0) * this.#blocksPerSegment;
  }

  /** Number behind that of the newest block; `first` when there is none. */
  get end(): number {
    const last = this.#segments.at(-1);
    return last === undefined ? this.first : last.number * this.#blocksPerSegment + last.count;
  }

  /** Time of the oldest row of a block. */
  firstTime(block: number): bigint {
    return this.#segmentOf(block).firstTime(block % this.#blocksPerSegment);
  }

  /** Number of the newest block that begins at or before a time; the one before `first` when there is none. */
  newestUntil(time: bigint): number {
    let [oldest, end] = [0, this.#segments.length];
    while (oldest < end) {
      const middle = (oldest + end) >>> 1;
      if ((this.#segments[middle]?.firstTime(0) ?? 0n) <= time) oldest = middle + 1;
      else end = middle;
    }
    const segment = this.#segments[oldest - 1];
    if (segment === undefined) return this.first - 1;
    return segment.number * this.#blocksPerSegment + segment.countUntil(time) - 1;
  }

  sizeOf(block: number): number {
    return this.#segmentOf(block).sizeOf(block % this.#blocksPerSegment);
  }

  /** Reads `bytes` of a block, from its byte `from` on. @throws Error when they are not there */
  read(block: number, from: number, bytes: number, target: Buffer, at: number): void {
    this.#segmentOf(block).read(block % this.#blocksPerSegment, from, bytes, target, at);
  }

  /** Opens the longest beginning of what is there that belongs to `origin`, and removes the rest. */
  async open(origin: SegmentOrigin): Promise<void> {
    for (const number of this.#numbersOnDisk()) {
      const last = this.#segments.at(-1);
      const follows =
        last === undefined || (number === last.number + 1 && last.count === this.#blocksPerSegment);
      const segment = follows ? this.#openPresent(origin, number) : null;
      if (segment === null) break;
      this.#segments.push(segment);
      // An index has a hundred kilobytes: requests get a turn between two.
      await setImmediate();
    }
    const kept = new Set(this.#segments.map(({ number }) => number));
    for (const number of this.#numbersOnDisk()) if (!kept.has(number)) this.#removeFiles(number);
  }

  /** Writes blocks behind the newest one; they count when they are written. */
  async append(origin: SegmentOrigin, blocks: readonly NewBlock[]): Promise<void> {
    for (let rest = blocks; rest.length > 0; ) {
      const segment = this.#segmentForNext(origin);
      const fitting = rest.slice(0, this.#blocksPerSegment - segment.count);
      await segment.append(fitting);
      rest = rest.slice(fitting.length);
    }
  }

  /** Forgets the newest block. */
  dropNewest(): void {
    const segment = this.#segments.at(-1);
    segment?.dropLast();
    if (segment?.count !== 0) return;
    this.#segments.pop();
    segment.close();
    this.#removeFiles(segment.number);
  }

  /** Removes the segments of which every row is older than `time`. */
  dropOlder(time: bigint): void {
    for (;;) {
      const [oldest, next] = this.#segments;
      if (oldest === undefined || next === undefined || next.count === 0 || next.firstTime(0) > time) return;
      this.#segments.shift();
      oldest.close();
      this.#removeFiles(oldest.number);
    }
  }

  /** Removes everything. */
  clear(): void {
    this.close();
    for (const number of this.#numbersOnDisk()) this.#removeFiles(number);
  }

  close(): void {
    const open = this.#segments;
    this.#segments = [];
    for (const segment of open) segment.close();
  }

  #segmentOf(block: number): Segment {
    const first = this.#segments[0]?.number ?? 0;
    const segment = this.#segments[Math.floor(block / this.#blocksPerSegment) - first];
    if (segment === undefined) throw new RangeError(`the page file has no block ${block}`);
    return segment;
  }

  #segmentForNext(origin: SegmentOrigin): Segment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.count < this.#blocksPerSegment) return last;
    const number = last === undefined ? 0 : last.number + 1;
    const segment = Segment.create(this.#disk, this.#folder, origin, number);
    this.#segments.push(segment);
    return segment;
  }

  #openPresent(origin: SegmentOrigin, number: number): Segment | null {
    try {
      return Segment.open(this.#disk, this.#folder, origin, number);
    } catch (error) {
      // One of the two files is missing.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  #numbersOnDisk(): readonly number[] {
    const numbers = this.#disk.list(this.#folder).flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []);
    return [...new Set(numbers.map(Number))].sort((left, right) => left - right);
  }

  #removeFiles(number: number): void {
    const { index, rows } = segmentFiles(this.#folder, number);
    this.#disk.remove(index);
    this.#disk.remove(rows);
  }
}
