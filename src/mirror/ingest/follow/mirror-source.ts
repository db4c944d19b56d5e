import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { FixtureHome } from '../../items/fixture-members.ts';
import type { LedgerTransaction } from '../../ledger/rows.ts';
import { IngestError } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { MirrorSettings } from '../units/live-source.ts';
import type { SourcePosition, StreamSource } from '../units/stream-source.ts';
import type { StreamUnit } from '../units/stream-unit.ts';
import { readNewestBlock, walkBlocks } from './block-pages.ts';
import { type BlockRange, groupBlocks, readRange } from './block-ranges.ts';
import { createMirrorUnit, withCustomFees } from './mirror-unit.ts';
import { createNetworkState } from './network-state.ts';
import { createPeer, type PeerBlock, type PeerLimits, type PeerParts } from './peer.ts';

export interface MirrorSourceDependencies extends PeerParts {
  /** Shard and realm of the network. */
  readonly home: FixtureHome;
  readonly limits?: PeerLimits;
  /** Those of the times at which the ledger has a transaction. */
  readonly storedTimes: (times: readonly ConsensusTimestamp[]) => Promise<readonly ConsensusTimestamp[]>;
}

const BEHIND =
  'the followed mirror ends before this ledger: it lags behind, was reset, or belongs to another network';
/** Ranges that are fetched ahead of the one that is being stored. */
const AHEAD = 3;

/**
 * Another mirror as a source: one unit of level `none` for each of its blocks.
 *
 * @see docs/adr/0020-sources.md, contracts/streams.md section 10
 */
export function createMirrorSource(
  { name, url }: MirrorSettings,
  dependencies: MirrorSourceDependencies,
): StreamSource {
  const { home, limits, pause, storedTimes } = dependencies;
  const peer = createPeer(url, dependencies, limits);
  const network = createNetworkState({ ...dependencies, peer });
  const pace = createPollPace();
  let newest: PeerBlock | null = null;
  let hasMore = false;
  let isBehind = false;

  async function* pages(after: SourcePosition | null, signal: AbortSignal): AsyncGenerator<StreamUnit[]> {
    hasMore = true;
    if (after === null || after.blockNumber === null) network.begin();
    let listed: PeerBlock | null = null;
    let reached = after?.time ?? null;
    /** Times of blocks that overlap and may not be stored yet: of the page before, and of this one. */
    let [before, own] = [new Set<bigint>(), new Set<bigint>()];
    for await (const { blocks, faults, isLast, next } of walkBlocks(peer, after, signal)) {
      listed = blocks.at(-1) ?? listed;
      newest = isLast ? listed : (newest ?? (await readNewestBlock(peer, signal)));
      [before, own] = [own, new Set()];
      const takenOf = async (times: readonly ConsensusTimestamp[]): Promise<ReadonlySet<bigint>> =>
        new Set<bigint>([...(await storedTimes(times)), ...times.filter((time) => before.has(time))]);
      const transactionsOf = createRangeReader(groupBlocks({ blocks, next }, reached), async (range) => {
        const found = await readRange(range, { peer, home, takenOf }, signal);
        if (range.isTangled) {
          for (const block of range.blocks)
            for (const { consensusTimestamp: at } of found.get(block) ?? []) own.add(at);
        }
        return found;
      });
      for (const { to } of blocks) if (reached === null || to > reached) reached = to;
      yield blocks.map((block) =>
        createMirrorUnit(block, {
          fault: faults.get(block) ?? null,
          transactionsOf: async () => withCustomFees(block, await transactionsOf(block), peer, home, signal),
          networkAt: (transactions) => network.rowsAt(block, transactions, signal),
        }),
      );
    }
    if (listed === null) newest = await readNewestBlock(peer, signal);
    const end = newest?.number ?? -1n;
    const last = after?.blockNumber ?? null;
    isBehind = listed === null && last !== null && end < last;
    // Taken to the end, unless a block came while nothing was listed.
    hasMore = listed === null && end > (last ?? end);
  }

  return {
    name,
    addressBook: async () => null,
    async list(after, signal = new AbortController().signal) {
      return { older: [], pages: untilGiven(signal, pages(after, signal)) };
    },
    async changed(signal) {
      while (!signal.aborted) {
        await pause(Math.max(pace.restMs, peer.quietMs()), signal);
        // What was listed and not taken is listed again.
        if (signal.aborted || hasMore) return;
        let found: PeerBlock | null;
        try {
          found = await readNewestBlock(peer, signal);
        } catch (error) {
          // The next listing meets the same fault and tells it.
          if (error instanceof IngestError) return;
          throw error;
        }
        const isNew = found !== null && (newest === null || !sameBytes(found.hash, newest.hash));
        pace.looked(isNew);
        newest = found ?? newest;
        if (isNew) return;
      }
    },
    standing: () => ({
      node: null,
      newest: newest === null ? null : { blockNumber: newest.number, time: newest.to },
      notes: isBehind ? [BEHIND, ...network.notes] : network.notes,
    }),
  };
}

/** A walk that is given up ends without an error. */
async function* untilGiven<Page>(signal: AbortSignal, pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  try {
    yield* pages;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Fetches the range of a block when it is asked for, and those after it ahead; what lies before it is dropped. */
function createRangeReader(
  ranges: readonly BlockRange[],
  read: (range: BlockRange) => Promise<ReadonlyMap<PeerBlock, readonly LedgerTransaction[]>>,
): (block: PeerBlock) => Promise<readonly LedgerTransaction[]> {
  const reading = new Map<number, ReturnType<typeof read>>();
  return async (block) => {
    const index = ranges.findIndex(({ blocks }) => blocks.includes(block));
    for (const done of [...reading.keys()]) if (done < index) reading.delete(done);
    for (const [ahead, range] of ranges.slice(index, index + 1 + AHEAD).entries()) {
      if (reading.has(index + ahead)) continue;
      const promise = read(range);
      // Looked at when its turn comes; until then a fault is no unhandled one.
      promise.catch(() => {});
      reading.set(index + ahead, promise);
    }
    return (await reading.get(index))?.get(block) ?? [];
  };
}

const FIRST_MS = 1000;
const MIN_MS = 250;
const MAX_MS = 10_000;
const SLOWER = 1.5;

/** Looks come twice as often after a new block, down to four a second, and rarer while none comes. */
function createPollPace() {
  let restMs = FIRST_MS;
  return {
    /** Milliseconds until the next look. */
    get restMs(): number {
      return restMs;
    },
    /** The last look found something new, or nothing. */
    looked(foundNew: boolean): void {
      restMs = foundNew ? Math.max(MIN_MS, restMs / 2) : Math.min(MAX_MS, restMs * SLOWER);
    },
  };
}
