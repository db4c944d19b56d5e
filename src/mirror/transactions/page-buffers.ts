/** Memory for the bodies of pages, used again and again: fresh memory for each would be tracked by the collector. */
export interface PageBuffers {
  /** That many bytes with any content. */
  take(bytes: number): Buffer;
  /** Says that nobody reads what was taken any more; what is never given back is collected. */
  giveBack(taken: Buffer): void;
}

/** A page of 25 has about 25 kB. */
const BLOCK_BYTES = 65_536;
const MAX_KEPT = 64;

/** Keeps up to 64 blocks of 64 KiB; larger ones are made when asked for. */
export function createPageBuffers(): PageBuffers {
  const free: ArrayBuffer[] = [];
  return {
    take(bytes) {
      if (bytes > BLOCK_BYTES) return Buffer.allocUnsafeSlow(bytes);
      // The one given back last is the one that lies in the processor's cache.
      return Buffer.from(free.pop() ?? new ArrayBuffer(BLOCK_BYTES), 0, bytes);
    },
    giveBack({ buffer }) {
      if (!(buffer instanceof ArrayBuffer) || free.length >= MAX_KEPT) return;
      if (buffer.byteLength === BLOCK_BYTES) free.push(buffer);
    },
  };
}
