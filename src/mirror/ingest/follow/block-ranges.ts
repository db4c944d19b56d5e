import {
  type ConsensusTimestamp,
  consensusTimestamp,
  printTimestamp,
} from '../../../values/consensus-timestamp.ts';
import { FixtureFault, type FixtureHome, object, objects, text } from '../../items/fixture-members.ts';
import type { LedgerTransaction } from '../../ledger/rows.ts';
import { readTransaction } from '../fixture/fixture-transaction.ts';
import { inconsistent } from './inconsistent.ts';
import type { Peer } from './peer.ts';
import type { PeerBlock } from './peer-block.ts';

/** Consecutive blocks whose transactions are asked for together. */
export type BlockRange = readonly PeerBlock[];

const PAGE = 100;
/** Public mirrors answer no wider range at once. @see contracts/streams.md section 10 */
const MAX_SPAN = 7n * 86_400n * 1_000_000_000n;
/** One less than a page, so that a page that is not full says that there is nothing more. */
const MAX_TRANSACTIONS = PAGE - 1;
/** Far more than any network puts into one: a bound for what is kept in memory. */
const MAX_BLOCK = 500_000;

/** Joins small blocks, so that each question fetches about a page; a large block is a range of its own. */
export function groupBlocks(blocks: readonly PeerBlock[]): readonly BlockRange[] {
  const ranges: PeerBlock[][] = [];
  let count = 0;
  for (const block of blocks) {
    const range = ranges.at(-1);
    const start = range?.[0]?.from ?? block.from;
    if (range === undefined || count + block.count > MAX_TRANSACTIONS || block.to - start >= MAX_SPAN) {
      ranges.push([block]);
      count = block.count;
    } else {
      range.push(block);
      count += block.count;
    }
  }
  return ranges;
}

/**
 * Fetches the transactions of a range by pages and gives each block its own.
 *
 * @throws IngestError `inconsistent_source` when they do not ascend or lie outside the blocks, or what the peer throws.
 */
export async function readRange(
  range: BlockRange,
  peer: Peer,
  home: FixtureHome,
  signal: AbortSignal,
): Promise<ReadonlyMap<PeerBlock, readonly LedgerTransaction[]>> {
  const found = new Map<PeerBlock, LedgerTransaction[]>(range.map((block) => [block, []]));
  const [first, last] = [range.at(0), range.at(-1)];
  const expected = range.reduce((sum, { count }) => sum + count, 0);
  if (first === undefined || last === undefined || expected === 0) return found;
  if (expected > MAX_BLOCK)
    throw inconsistent(first, `${expected} transactions are more than a block can have`);
  const blockAt = walkAlong(range);
  let newest = consensusTimestamp(first.from - 1n);
  let total = 0;
  for (let lower = first.from; lower <= last.to; ) {
    const upper = lower + MAX_SPAN > last.to ? last.to : consensusTimestamp(lower + MAX_SPAN - 1n);
    for (let isMore = true; isMore; ) {
      const { links, rows } = await readPage(peer, home, { after: newest, lower, upper }, signal);
      for (const transaction of rows) {
        const at = transaction.consensusTimestamp;
        if (at <= newest || at > upper) {
          throw inconsistent(
            first,
            `transaction ${printTimestamp(at)} stands where later ones than ` +
              `${printTimestamp(newest)} up to ${printTimestamp(upper)} were requested`,
          );
        }
        newest = at;
        found.get(blockAt(at))?.push(transaction);
      }
      total += rows.length;
      isMore = links && rows.length > 0 && total <= expected && (rows.length >= PAGE || total < expected);
    }
    lower = consensusTimestamp(upper + 1n);
  }
  return found;
}

interface Page {
  readonly rows: readonly LedgerTransaction[];
  /** Whether the peer says that there is more. */
  readonly links: boolean;
}

async function readPage(
  peer: Peer,
  home: FixtureHome,
  {
    after,
    lower,
    upper,
  }: {
    readonly after: ConsensusTimestamp;
    readonly lower: ConsensusTimestamp;
    readonly upper: ConsensusTimestamp;
  },
  signal: AbortSignal,
): Promise<Page> {
  const begin = after < lower ? `gte:${printTimestamp(lower)}` : `gt:${printTimestamp(after)}`;
  const path = `/api/v1/transactions?order=asc&limit=${PAGE}&timestamp=${begin}&timestamp=lte:${printTimestamp(upper)}`;
  const answer = await peer.get(path, signal);
  if (answer === null) throw inconsistent(null, `${path} does not exist`);
  try {
    return {
      rows: objects(answer, 'transactions').map((row) => readTransaction(row, home)),
      links: text(object(answer, 'links') ?? {}, 'next') !== null,
    };
  } catch (cause) {
    if (!(cause instanceof FixtureFault)) throw cause;
    throw inconsistent(null, `${path} returned a transaction in which ${cause.message}`, cause);
  }
}

/** Times are asked for in ascending order. @throws IngestError for one that no block has */
function walkAlong(range: BlockRange): (at: ConsensusTimestamp) => PeerBlock {
  let index = 0;
  return (at) => {
    while ((range[index]?.to ?? at) < at) index++;
    const block = range[index];
    if (block !== undefined && block.from <= at) return block;
    throw inconsistent(block ?? null, `transaction ${printTimestamp(at)} is in no block`);
  };
}
