import {
  type ConsensusTimestamp,
  consensusTimestamp,
  printTimestamp,
} from '../../../values/consensus-timestamp.ts';
import { MAX_INT64, MIN_INT64 } from '../../../values/int64.ts';
import type { FixtureHome, FixtureObject } from '../../items/fixture-members.ts';
import type { LedgerTransaction } from '../../ledger/rows.ts';
import { printTransactionId } from '../../ledger/transaction-json.ts';
import { readTransaction } from '../fixture/fixture-rows.ts';
import type { BlockPage } from './block-pages.ts';
import { inconsistent, type Peer, type PeerBlock } from './peer.ts';
import { readList } from './peer-lists.ts';

/** Consecutive blocks whose transactions are asked for together. */
export interface BlockRange {
  readonly blocks: readonly PeerBlock[];
  /** Whether blocks overlap with each other or with others, so that a time does not tell the block. */
  readonly isTangled: boolean;
  /** Later blocks that may have transactions between those of these. */
  readonly rivals: readonly PeerBlock[];
}

const PAGE = 100;
/** Public mirrors answer no wider range at once. @see contracts/streams.md section 10 */
const MAX_SPAN = 7n * 86_400n * 1_000_000_000n;
/** One less than a page, so that a page that is not full says that there is nothing more. */
const MAX_TRANSACTIONS = PAGE - 1;
/** Far more than any network puts into one, or into blocks that overlap: a bound for what is kept in memory. */
const MAX_BLOCK = 500_000;

/**
 * Joins small blocks, so that each question fetches about a page; a large block is a range of its own, and so are blocks
 * that overlap.
 *
 * @param next blocks after these
 * @param end the greatest time of the blocks before them; null for none
 */
export function groupBlocks(
  { blocks, next }: Pick<BlockPage, 'blocks' | 'next'>,
  end: ConsensusTimestamp | null,
): readonly BlockRange[] {
  const ranges: (BlockRange & { readonly blocks: PeerBlock[] })[] = [];
  let count = 0;
  for (const { blocks: tangled, isTangled } of untangled(blocks, next, end)) {
    const range = ranges.at(-1);
    const [block] = tangled;
    const start = range?.blocks[0]?.from ?? block?.from ?? 0n;
    const added = tangled.reduce((sum, each) => sum + each.count, 0);
    const isFull = count + added > MAX_TRANSACTIONS || (block?.to ?? 0n) - start >= MAX_SPAN;
    if (range === undefined || range.isTangled || isTangled || isFull) {
      ranges.push({ blocks: [...tangled], isTangled, rivals: isTangled ? next.filter(holdsAny) : [] });
      count = added;
    } else {
      range.blocks.push(...tangled);
      count += added;
    }
  }
  return ranges;
}

/** Cuts between blocks where all that were before end before all that follow begin; empty blocks hold no time. */
function untangled(
  blocks: readonly PeerBlock[],
  next: readonly PeerBlock[],
  end: ConsensusTimestamp | null,
): readonly Pick<BlockRange, 'blocks' | 'isTangled'>[] {
  const begins: bigint[] = [];
  let earliest = leastBegin(next);
  for (const block of blocks.toReversed()) {
    begins.unshift(earliest);
    if (holdsAny(block) && block.from < earliest) earliest = block.from;
  }
  const parts: { readonly blocks: PeerBlock[]; isTangled: boolean }[] = [];
  let reached: bigint = end ?? MIN_INT64;
  let isTangled = earliest <= reached;
  let isCut = true;
  for (const [index, block] of blocks.entries()) {
    const part = parts.at(-1);
    if (isCut || part === undefined) parts.push({ blocks: [block], isTangled });
    else part.blocks.push(block);
    if (holdsAny(block) && block.to > reached) reached = block.to;
    isCut = (begins[index] ?? MAX_INT64) > reached;
    const current = parts.at(-1);
    if (!isCut && current !== undefined) current.isTangled = true;
    isTangled = false;
  }
  return parts;
}

const holdsAny = ({ count }: PeerBlock) => count > 0;

function leastBegin(blocks: readonly PeerBlock[]): bigint {
  return blocks
    .filter(holdsAny)
    .reduce((least: bigint, { from }) => (from < least ? from : least), MAX_INT64);
}

/** What the transactions of a range are read with. */
interface RangeParts {
  readonly peer: Peer;
  readonly home: FixtureHome;
  /** Those of the times that blocks before the range have. */
  readonly takenOf: (times: readonly ConsensusTimestamp[]) => Promise<ReadonlySet<bigint>>;
}

/**
 * Fetches the transactions of a range by pages and gives each block its own.
 *
 * @throws IngestError `inconsistent_source` when they do not ascend or lie outside the blocks, or what the peer throws.
 */
export async function readRange(
  { blocks, isTangled, rivals }: BlockRange,
  { home, peer, takenOf }: RangeParts,
  signal: AbortSignal,
): Promise<ReadonlyMap<PeerBlock, readonly LedgerTransaction[]>> {
  const holding = blocks.filter(holdsAny);
  const [first] = holding;
  if (first === undefined) return new Map();
  const from = holding.reduce((least, block) => (block.from < least ? block.from : least), first.from);
  const to = holding.reduce((greatest, block) => (block.to > greatest ? block.to : greatest), first.to);
  const countOf = (each: readonly PeerBlock[]) => each.reduce((sum, { count }) => sum + count, 0);
  const expected = countOf(holding) + countOf(rivals);
  const large = holding.find(({ count }) => count > MAX_BLOCK);
  if (large !== undefined)
    throw inconsistent(large, `${large.count} transactions are more than a block can have`);
  if (isTangled && expected > MAX_BLOCK)
    throw inconsistent(first, `it overlaps others with ${expected} transactions, more than are read at once`);
  const read: LedgerTransaction[] = [];
  let newest = consensusTimestamp(from - 1n);
  for (let lower = from; lower <= to; ) {
    const upper = lower + MAX_SPAN > to ? to : consensusTimestamp(lower + MAX_SPAN - 1n);
    for (let isMore = true; isMore; ) {
      const { hasNext, rows } = await readPage(peer, home, newest, [lower, upper], signal);
      for (const { consensusTimestamp: at } of rows) {
        if (at <= newest || at > upper) {
          throw inconsistent(
            first,
            `transaction ${printTimestamp(at)} stands where later ones than ` +
              `${printTimestamp(newest)} up to ${printTimestamp(upper)} were requested`,
          );
        }
        newest = at;
      }
      const taken = isTangled
        ? await takenOf(rows.map(({ consensusTimestamp: at }) => at))
        : new Set<bigint>();
      read.push(...rows.filter(({ consensusTimestamp: at }) => !taken.has(at)));
      const isShort = isTangled || rows.length >= PAGE || read.length < expected;
      isMore = hasNext && read.length <= expected && isShort;
    }
    lower = consensusTimestamp(upper + 1n);
  }
  return isTangled ? assignedTransactions(read, [...holding, ...rivals]) : walkAlong(holding, read);
}

async function readPage(
  peer: Peer,
  home: FixtureHome,
  after: ConsensusTimestamp,
  [lower, upper]: readonly [ConsensusTimestamp, ConsensusTimestamp],
  signal: AbortSignal,
) {
  const begin = after < lower ? `gte:${printTimestamp(lower)}` : `gt:${printTimestamp(after)}`;
  const path = `/api/v1/transactions?order=asc&limit=${PAGE}&timestamp=${begin}&timestamp=lte:${printTimestamp(upper)}`;
  const read = (row: FixtureObject) => readTransaction(row, home);
  const page = await readList(peer, path, { list: 'transactions', what: 'a transaction', read }, signal);
  if (page === null) throw inconsistent(null, `${path} does not exist`);
  return page;
}

/** @throws IngestError for one that no block has */
function walkAlong(
  blocks: readonly PeerBlock[],
  transactions: readonly LedgerTransaction[],
): ReadonlyMap<PeerBlock, readonly LedgerTransaction[]> {
  const found = new Map<PeerBlock, LedgerTransaction[]>(blocks.map((block) => [block, []]));
  let index = 0;
  for (const transaction of transactions) {
    const { consensusTimestamp: at } = transaction;
    while ((blocks[index]?.to ?? at) < at) index++;
    const block = blocks[index];
    if (block === undefined || block.from > at) {
      throw inconsistent(block ?? null, `transaction ${printTimestamp(at)} is in no block`);
    }
    found.get(block)?.push(transaction);
  }
  return found;
}

type Assigned = ReadonlyMap<PeerBlock, readonly LedgerTransaction[]>;

/**
 * Gives blocks that overlap their transactions, of which a mirror tells times alone: each block gets as many as it
 * counts, among them those at its begin and its end. Children stay with their parent where the counts leave a choice.
 *
 * A time between two overlapping blocks belongs to either as far as a mirror tells; of those that have room the block that
 * ends first gets it, so that all are filled whenever they can be.
 *
 * @param transactions ascending
 * @param blocks with one transaction at least
 */
function assignedTransactions(
  transactions: readonly LedgerTransaction[],
  blocks: readonly PeerBlock[],
): Assigned {
  const withFamilies = assign(transactions, blocks, true);
  return withFamilies ?? assign(transactions, blocks, false) ?? new Map();
}

/** Null when a transaction finds no block. */
function assign(
  transactions: readonly LedgerTransaction[],
  blocks: readonly PeerBlock[],
  keepsFamilies: boolean,
): Assigned | null {
  const found = new Map<PeerBlock, LedgerTransaction[]>(blocks.map((block) => [block, []]));
  const edges = new Map<bigint, PeerBlock>(
    blocks.flatMap((block) => [block.from, block.to].map((time): [bigint, PeerBlock] => [time, block])),
  );
  /** Places of those between begin and end. */
  const room = new Map(blocks.map((block) => [block, block.count - new Set([block.from, block.to]).size]));
  const families = new Map<string, PeerBlock>();
  const waiting = [...blocks].sort((one, other) => (one.from < other.from ? -1 : 1));
  let open: PeerBlock[] = [];
  for (const transaction of transactions) {
    const { consensusTimestamp: at, payer, validStart } = transaction;
    while (waiting[0] !== undefined && waiting[0].from <= at) open.push(waiting.shift() as PeerBlock);
    open = open.filter(({ to }) => to >= at);
    const family = printTransactionId(payer, validStart);
    const free = open.filter((block) => (room.get(block) ?? 0) > 0);
    const own = keepsFamilies ? families.get(family) : undefined;
    const inside =
      own !== undefined && free.includes(own)
        ? own
        : free.reduce<PeerBlock | null>(
            (best, each) => (best !== null && best.to <= each.to ? best : each),
            null,
          );
    const edge = edges.get(at);
    const block = edge ?? inside;
    if (block === null) return null;
    if (edge === undefined) room.set(block, (room.get(block) ?? 0) - 1);
    families.set(family, block);
    found.get(block)?.push(transaction);
  }
  return found;
}
