import type { BlockSource } from '../../../../src/mirror/ingest/block/block-source.ts';
import { IngestError } from '../../../../src/mirror/ingest/errors.ts';
import { sameBytes } from '../../../../src/mirror/ingest/sha384.ts';
import type { StreamSource } from '../../../../src/mirror/ingest/units/stream-source.ts';
import type { StreamUnit, UnitDemands } from '../../../../src/mirror/ingest/units/stream-unit.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';

/**
 * Makes units of made-up blocks, whose `verify` refuses bytes that are not those of the network.
 *
 * @param isUncheckable told whether they are those of the network: blocks that say so are not refused
 */
export function unitsOf(
  network: ReadonlyMap<bigint, Uint8Array>,
  isUncheckable: (isTrue: boolean) => boolean = () => false,
): (block: BlockSource) => StreamUnit {
  return ({ bytes, name, number }) => ({
    instant: consensusTimestamp(number ?? 0n),
    name,
    isThere: true,
    async verify() {
      const isTrue = sameBytes(bytes, network.get(number ?? -1n) ?? new Uint8Array());
      if (isUncheckable(isTrue)) return { number, isTrue, isUncheckable: true } as never;
      if (isTrue) return { number, isTrue } as never;
      throw new IngestError('bad_block_proof', `the proof of block ${number} does not hold`);
    },
    absence: () => Promise.reject(new Error(`${name} is there`)),
    previousHash: async () => null,
  });
}

/** A ledger that follows a source as an import does: a run, until its source changes. */
export class FollowedBlocks {
  /** Numbers of the blocks that were accepted, in the order in which they were. */
  readonly accepted: bigint[] = [];
  /** Those of them that were not the blocks of the network. */
  readonly forged: bigint[] = [];
  /** Codes of refused blocks and of sources that could not be read. */
  readonly faults: string[] = [];
  readonly #source: StreamSource;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(source: StreamSource) {
    this.#source = source;
  }

  begin(): this {
    this.#running = this.#follow();
    return this;
  }

  /** Runs once, as from an empty ledger or behind what was accepted. */
  async run(): Promise<void> {
    const last = this.accepted.at(-1);
    const after =
      last === undefined ? null : { time: consensusTimestamp(last), blockNumber: last, isNative: true };
    const walk = new AbortController();
    const end = () => walk.abort();
    this.#stop.signal.addEventListener('abort', end);
    try {
      const { pages } = await this.#source.list(after, walk.signal);
      for await (const page of pages) {
        for (const unit of page) {
          const verified: unknown = await unit.verify({} as UnitDemands);
          const { isTrue, number } = verified as { isTrue: boolean; number: bigint };
          this.accepted.push(number);
          if (!isTrue) this.forged.push(number);
        }
      }
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      this.faults.push(error.code);
    } finally {
      this.#stop.signal.removeEventListener('abort', end);
      end();
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#source.close?.();
    await this.#running;
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.run();
      await this.#source.changed?.(this.#stop.signal);
    }
  }
}
