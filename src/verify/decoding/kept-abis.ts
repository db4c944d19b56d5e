import type { AbiIndex } from './abi-index.ts';

/** Artifacts that kept ABIs were read from; the ABIs take some times as much. */
const MOST_BYTES = 8_388_608;

/**
 * ABIs by compilation, those that were asked for last. A compilation never changes and its id is never given again, so
 * nothing kept here is ever wrong: which compilation an address shows is read anew for each page.
 */
export class KeptAbis {
  readonly #abis = new Map<bigint, { readonly index: AbiIndex; readonly bytes: number }>();
  #bytes = 0;

  get(compilationId: bigint): AbiIndex | null {
    const found = this.#abis.get(compilationId);
    if (found === undefined) return null;
    this.#abis.delete(compilationId);
    this.#abis.set(compilationId, found);
    return found.index;
  }

  keep(compilationId: bigint, index: AbiIndex, bytes: number): void {
    this.#bytes += bytes - (this.#abis.get(compilationId)?.bytes ?? 0);
    this.#abis.delete(compilationId);
    this.#abis.set(compilationId, { index, bytes });
    for (const [oldest, abi] of this.#abis) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#abis.delete(oldest);
      this.#bytes -= abi.bytes;
    }
  }
}
