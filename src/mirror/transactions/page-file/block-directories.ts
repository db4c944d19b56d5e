import type { BlockFormat } from './block-format.ts';
import type { PageSegments } from './page-segments.ts';

/** Thrown when a block is not what was written. */
export class DamagedBlockError extends Error {
  constructor(block: number) {
    super(`block ${block} of the page file is damaged`);
  }
}

/** Directories of a million rows, 12 MB; memory that no block has used takes no room. */
const SLOTS = 16_384;

/**
 * The directories of the blocks that were asked for last.
 *
 * A block has one slot that it may lie in, so that looking it up costs a comparison and keeping it makes nothing for
 * the collector. At its first use a block is read whole and its checksum compared.
 */
export class BlockDirectories {
  readonly #segments: PageSegments;
  readonly #format: BlockFormat;
  readonly #slots: number;
  readonly #blockOfSlot: Float64Array;
  /** The directories, one slot behind the other. */
  readonly bytes: Buffer;
  /** One bit for each block that was found intact. */
  #checked = new Uint8Array(1024);

  constructor(segments: PageSegments, format: BlockFormat, slots: number = SLOTS) {
    this.#segments = segments;
    this.#format = format;
    this.#slots = slots;
    this.#blockOfSlot = new Float64Array(slots).fill(-1);
    this.bytes = Buffer.alloc(slots * format.directoryBytes);
  }

  /**
   * Where the directory of a block begins in `bytes`, until another block is asked for.
   *
   * @throws DamagedBlockError, or what the disk says.
   */
  at(block: number): number {
    const slot = block % this.#slots;
    const at = slot * this.#format.directoryBytes;
    if (this.#blockOfSlot[slot] === block) return at;
    this.#blockOfSlot[slot] = -1;
    if (this.#isChecked(block)) this.#segments.read(block, 0, this.#format.directoryBytes, this.bytes, at);
    else this.readWhole(block).copy(this.bytes, at, 0, this.#format.directoryBytes);
    this.#blockOfSlot[slot] = block;
    return at;
  }

  /** All bytes of a block, compared with its checksum. @throws DamagedBlockError, or what the disk says. */
  readWhole(block: number): Buffer {
    const { firstTime, sizeOf } = this.#expected(block);
    const bytes = Buffer.allocUnsafe(sizeOf);
    this.#segments.read(block, 0, sizeOf, bytes, 0);
    const isRight =
      this.#format.isIntact(bytes) && this.#format.timeOf(bytes, 0, this.#format.rows - 1) === firstTime;
    if (!isRight) throw new DamagedBlockError(block);
    this.markIntact(block);
    return bytes;
  }

  /** Says that this process has written the block itself. */
  markIntact(block: number): void {
    const byte = block >>> 3;
    if (byte >= this.#checked.length) {
      const larger = new Uint8Array(Math.max(byte + 1, this.#checked.length * 2));
      larger.set(this.#checked);
      this.#checked = larger;
    }
    this.#checked[byte] = (this.#checked[byte] ?? 0) | (1 << (block & 7));
  }

  /** Forgets everything. */
  clear(): void {
    this.#blockOfSlot.fill(-1);
    this.#checked.fill(0);
  }

  #isChecked(block: number): boolean {
    return ((this.#checked[block >>> 3] ?? 0) & (1 << (block & 7))) !== 0;
  }

  #expected(block: number): { readonly firstTime: bigint; readonly sizeOf: number } {
    return { firstTime: this.#segments.firstTime(block), sizeOf: this.#segments.sizeOf(block) };
  }
}
