import type { Clock } from '../../../../values/clock.ts';
import type { ReceivedBlock } from './block-buffer.ts';
import type { BlockNodeFeed } from './block-node-feed.ts';
import type { NodePool } from './node-pool.ts';

/** How long nodes are waited for that do not have the block yet or do not answer, and those that say they have it. */
const OTHERS_MS = { 'lack it': 10_000, 'have it': 60_000, 'are none': 0 } as const;

/**
 * Blocks whose proofs are of a form that this version cannot check: a network that was upgraded sends them, and so does a
 * node that makes blocks up. One is taken when every other node was asked, for a minute at most, and none gave a better proof; from then on
 * they all are, until a proof holds again.
 *
 * @see contracts/streams.md section 18.2
 */
export class UncheckedBlocks {
  readonly #parts: UncheckedParts;
  #doubt: { readonly number: bigint; readonly heard: Set<string>; readonly sinceMs: number } | null = null;
  #isUpgraded = false;

  constructor(parts: UncheckedParts) {
    this.#parts = parts;
  }

  /** Whether the block is not to be taken now; the feed gives it again, from another node if one has it. */
  async isLeftToOthers(block: ReceivedBlock, isUncheckable: boolean, signal: AbortSignal): Promise<boolean> {
    const { clock, feed, pool } = this.#parts;
    if (!isUncheckable) {
      this.#isUpgraded = false;
      return false;
    }
    if (this.#isUpgraded) return false;
    if (this.#doubt?.number !== block.number) {
      this.#doubt = { number: block.number, heard: new Set(), sinceMs: clock.now() };
    }
    const { heard, sinceMs } = this.#doubt;
    heard.add(block.node);
    const others = await pool.others(block.number, heard, signal);
    if (clock.now() - sinceMs >= OTHERS_MS[others]) {
      this.#isUpgraded = true;
      return false;
    }
    feed.hearOthers(block, heard);
    return true;
  }
}

interface UncheckedParts {
  readonly pool: Pick<NodePool, 'others'>;
  readonly feed: Pick<BlockNodeFeed, 'hearOthers'>;
  readonly clock: Clock;
}
