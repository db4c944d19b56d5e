import type { StreamedBlock } from './block-assembly.ts';

/** A block with the node that sent it. */
export interface ReceivedBlock extends StreamedBlock {
  readonly node: string;
}

/** How much is received ahead of the importer. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_BLOCKS = 256;

/** Blocks that were received and not taken yet, in order and within a bound. */
export class BlockBuffer {
  #blocks: ReceivedBlock[] = [];
  #bytes = 0;

  get first(): ReceivedBlock | null {
    return this.#blocks[0] ?? null;
  }

  /** Whether the next block is to wait until some were taken. */
  get isFull(): boolean {
    return this.#bytes >= MAX_BYTES || this.#blocks.length >= MAX_BLOCKS;
  }

  push(block: ReceivedBlock): void {
    this.#blocks.push(block);
    this.#bytes += block.bytes.length;
  }

  take(): ReceivedBlock | null {
    const block = this.#blocks.shift() ?? null;
    this.#bytes -= block?.bytes.length ?? 0;
    return block;
  }

  /** Drops what lies before a block. */
  dropBefore(number: bigint): void {
    while (this.first !== null && this.first.number < number) this.take();
  }

  clear(): void {
    this.#blocks = [];
    this.#bytes = 0;
  }
}
