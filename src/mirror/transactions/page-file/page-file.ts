import type { PageRows, TransactionFilter, TransactionPage } from '../transaction-filter.ts';
import { BlockDirectories } from './block-directories.ts';
import { type BlockFormat, createBlockFormat, type StoredRow } from './block-format.ts';
import type { PageDisk } from './page-disk.ts';
import { PAGE_LAYOUT, type PageLayout } from './page-layout.ts';
import { type Coverage, PageReader } from './page-reader.ts';
import { PageSegments } from './page-segments.ts';
import type { LedgerLook, PageSource } from './page-source.ts';
import type { SegmentOrigin } from './segment-index.ts';
import type { WriterLock } from './writer-lock.sqlite.ts';

export interface PageFileDependencies {
  readonly source: PageSource;
  readonly disk: PageDisk;
  readonly folder: string;
  /** Null while another process writes this folder. */
  readonly takeLock: (folder: string) => WriterLock | null;
  readonly log: { warn(fields: object, message: string): void };
  readonly layout?: PageLayout;
}

/**
 * `opening`: nothing is served from it yet; `elsewhere`: another process has it; `writing`: rows are missing;
 * `current`: only rows that do not fill a block are; `off`: it failed and is not used until the next start.
 */
export type PageFileState = 'opening' | 'elsewhere' | 'writing' | 'current' | 'off';

/** A quarter of a thousand rows, a fraction of a millisecond: requests wait no longer. */
const BLOCKS_AT_ONCE = 4;
/** Blocks that are compared with the database before a file is used. */
const SAMPLES = 8;
/** More of them damaged at the end than a torn write leaves: the file is written anew. */
const MAX_DAMAGED_TAIL = 64;
/** A disk that damages blocks again and again is not worth the rewriting. */
const MAX_DAMAGES = 3;

/**
 * The list objects of a ledger in the order of time, in a folder beside the database, for pages without filters.
 *
 * It is derived and never a source of truth: what is in doubt is written anew, and the database answers meanwhile.
 *
 * @see docs/adr/0021-pages-from-a-derived-file.md
 */
export class PageFile {
  readonly #dependencies: PageFileDependencies;
  readonly #format: BlockFormat;
  readonly #segments: PageSegments;
  readonly #directories: BlockDirectories;
  readonly #reader: PageReader;
  #lock: WriterLock | null = null;
  #origin: SegmentOrigin | null = null;
  /** Null while nothing may be served. */
  #coverage: Coverage | null = null;
  #state: PageFileState = 'opening';
  #damages = 0;
  #isDoubted = false;

  constructor(dependencies: PageFileDependencies) {
    const { disk, folder, layout = PAGE_LAYOUT } = dependencies;
    this.#dependencies = dependencies;
    this.#format = createBlockFormat(layout.rowsPerBlock);
    this.#segments = new PageSegments(disk, folder, layout.blocksPerSegment);
    this.#directories = new BlockDirectories(this.#segments, this.#format);
    this.#reader = new PageReader(this.#segments, this.#directories, this.#format);
  }

  /** Edition of the ledger whose rows are in the file; null while there is none. */
  get edition(): string | null {
    return this.#origin?.edition ?? null;
  }

  get state(): PageFileState {
    return this.#state;
  }

  /** Rows that can be served from the file, with those of its first block that were deleted. */
  get transactions(): number {
    return this.#coverage === null ? 0 : (this.#segments.end - this.#segments.first) * this.#format.rows;
  }

  /**
   * The page of a filter that has bounds of time alone; null when the file cannot tell.
   *
   * @param fallback gives the rows when the disk fails after all.
   */
  page(filter: TransactionFilter, fallback: () => PageRows): TransactionPage | null {
    const coverage = this.#coverage;
    if (coverage === null) return null;
    try {
      return this.#reader.page(filter, coverage, (fault) => {
        this.#doubt(fault);
        return fallback();
      });
    } catch (fault) {
      // Whatever reading throws is the disk's: the database has the same rows.
      this.#doubt(fault);
      return null;
    }
  }

  /**
   * Looks at the ledger and writes a little of what is missing.
   *
   * @returns whether more is missing.
   * @throws Error of the disk, after which `turnOff` is due.
   */
  async advance(): Promise<boolean> {
    if (this.#state === 'off') return false;
    if (this.#damages > MAX_DAMAGES) throw new Error(`the page file was damaged ${this.#damages} times`);
    const { source } = this.#dependencies;
    const look = source.look(this.#coverage?.newest ?? -1n, BLOCKS_AT_ONCE * this.#format.rows);
    if (look === null || !this.#hasLock(look)) return false;
    if (this.#origin === null) return this.#open(look);
    const isRewritten = this.#origin.edition !== look.edition;
    if (!isRewritten && !this.#isDoubted && this.#covers(look)) return this.#write(this.#origin, look);
    this.#startAnew(look);
    // While rows are being rewritten, the next look finds another edition.
    return !isRewritten;
  }

  /** Gives up until the next start and frees the disk. */
  turnOff(): void {
    this.#state = 'off';
    this.#coverage = null;
    try {
      this.#segments.clear();
    } catch {
      // The disk that failed before: what stays is found and judged at the next start.
    }
    this.#release();
  }

  /** Closes the files; `advance` must have ended. */
  close(): void {
    this.#coverage = null;
    this.#segments.close();
    this.#release();
  }

  #hasLock({ rows }: LedgerLook): boolean {
    const { disk, folder, takeLock } = this.#dependencies;
    if (this.#lock !== null) return true;
    if (rows.length < this.#format.rows) {
      // Nothing is made for a ledger that fills no block.
      this.#state = 'current';
      return false;
    }
    disk.makeFolder(folder);
    this.#lock = takeLock(folder);
    this.#state = this.#lock === null ? 'elsewhere' : 'opening';
    return this.#lock !== null;
  }

  async #open(look: LedgerLook): Promise<boolean> {
    const { layout = PAGE_LAYOUT, source } = this.#dependencies;
    const origin = { layout, dialect: source.dialect, edition: look.edition };
    await this.#segments.open(origin);
    this.#origin = origin;
    this.#dropDamagedTail();
    if (this.#isEmpty() || !this.#agrees(look)) this.#startAnew(look);
    else this.#publish(look.oldest ?? 0n);
    return true;
  }

  #startAnew({ edition }: LedgerLook): void {
    const { layout = PAGE_LAYOUT, source } = this.#dependencies;
    this.#coverage = null;
    this.#isDoubted = false;
    this.#state = 'opening';
    this.#origin = { layout, dialect: source.dialect, edition };
    this.#segments.clear();
    this.#directories.clear();
  }

  async #write(origin: SegmentOrigin, { oldest, rows }: LedgerLook): Promise<boolean> {
    if (oldest === null) {
      this.#state = 'current';
      return false;
    }
    this.#segments.dropOlder(oldest);
    const size = this.#format.rows;
    const blocks = Array.from({ length: Math.floor(rows.length / size) }, (_, index) =>
      this.#newBlock(rows.slice(index * size, (index + 1) * size)),
    );
    const end = this.#segments.end;
    await this.#segments.append(origin, blocks);
    for (let block = end; block < this.#segments.end; block++) this.#directories.markIntact(block);
    // A request may have found damage meanwhile.
    if (this.#isDoubted) return true;
    if (!this.#isEmpty()) this.#publish(oldest);
    const isBehind = blocks.length === BLOCKS_AT_ONCE;
    this.#state = isBehind ? 'writing' : 'current';
    return isBehind;
  }

  #newBlock(rows: readonly StoredRow[]) {
    return { firstTime: rows[0]?.time ?? 0n, bytes: this.#format.encode(rows) };
  }

  #publish(oldest: bigint): void {
    const last = this.#directories.at(this.#segments.end - 1);
    this.#coverage = { oldest, newest: this.#format.timeOf(this.#directories.bytes, last, 0) };
  }

  #isEmpty(): boolean {
    return this.#segments.end === this.#segments.first;
  }

  /** Whether the file begins with or before the ledger and reaches into it. */
  #covers({ oldest }: LedgerLook): boolean {
    if (this.#isEmpty()) return true;
    const newest = this.#coverage?.newest;
    if (oldest === null || newest === undefined) return false;
    return this.#segments.firstTime(this.#segments.first) <= oldest && oldest <= newest;
  }

  /** Compares the newest block and some others, evenly spread, with the rows of the database. */
  #agrees(look: LedgerLook): boolean {
    const { oldest } = look;
    if (oldest === null || this.#segments.firstTime(this.#segments.first) > oldest) return false;
    const last = this.#segments.end - 1;
    const step = Math.max(1, Math.floor((this.#segments.end - this.#segments.first) / SAMPLES));
    for (let block = last; block >= this.#segments.first; block -= step) {
      const time = this.#segments.firstTime(block);
      // Of this one and those before it rows were deleted.
      if (time < oldest) return block !== last;
      const rows = this.#dependencies.source.rowsFrom(time, this.#format.rows);
      if (rows.length < this.#format.rows) return false;
      if (!this.#isIntact(block)) return false;
      if (!this.#format.encode(rows).equals(this.#directories.readWhole(block))) return false;
    }
    return true;
  }

  #isIntact(block: number): boolean {
    try {
      this.#directories.readWhole(block);
      return true;
    } catch {
      // Damaged or cut off: nothing else is expected of a block that was opened a moment ago.
      return false;
    }
  }

  /** A write that a power cut tore leaves entries of blocks that are not there. */
  #dropDamagedTail(): void {
    for (let dropped = 0; !this.#isEmpty() && !this.#isIntact(this.#segments.end - 1); dropped++) {
      if (dropped < MAX_DAMAGED_TAIL) this.#segments.dropNewest();
      else this.#segments.clear();
    }
  }

  /** Serves nothing more from the file; the next look writes it anew. */
  #doubt(err: unknown): void {
    if (this.#isDoubted) return;
    this.#coverage = null;
    this.#isDoubted = true;
    this.#damages += 1;
    this.#dependencies.log.warn({ err }, 'the page file is damaged and is written anew');
  }

  #release(): void {
    this.#lock?.release();
    this.#lock = null;
  }
}
