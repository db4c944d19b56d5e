import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { IngestError } from '../errors.ts';
import type { SourcePosition } from '../units/stream-source.ts';
import { type Peer, type PeerBlock, readPeerBlock } from './peer.ts';
import { readList } from './peer-lists.ts';

/** Blocks in the order of their numbers. */
export interface BlockPage {
  readonly blocks: readonly PeerBlock[];
  /** Those that follow, as far as they were listed: they may begin before these end. */
  readonly next: readonly PeerBlock[];
  /** What is wrong with a block beside the one before it. */
  readonly faults: ReadonlyMap<PeerBlock, string>;
  /** Whether the peer has nothing after it for now. */
  readonly isLast: boolean;
}

const PAGE = 100;

/**
 * Walks over the blocks after a position; null for all.
 *
 * @throws IngestError `inconsistent_source` for a block that cannot be read, or what the peer throws.
 */
export async function* walkBlocks(
  peer: Peer,
  after: SourcePosition | null,
  signal: AbortSignal,
): AsyncGenerator<BlockPage> {
  let last: PeerBlock | null = null;
  let waiting: BlockPage | null = null;
  for (let isOver = false; !isOver; ) {
    const { blocks: listed, isLast } = await readPage(
      peer,
      `order=asc&limit=${PAGE}${beginAt(last?.number ?? after?.blockNumber ?? null, after)}`,
      signal,
    );
    const faults = new Map<PeerBlock, string>();
    // A ledger that begins at a time begins between blocks, and ends with one.
    const begins = after !== null && last === null && after.blockNumber === null;
    const first = begins ? listed.findIndex(({ from }) => from > after.time) : 0;
    const blocks = first < 0 ? [] : listed.slice(first);
    for (const block of listed) {
      if (last !== null && block.number !== last.number + 1n) {
        faults.set(block, `it comes after block ${last.number}`);
      }
      last = block;
    }
    if (waiting !== null) yield { ...waiting, next: blocks };
    waiting = blocks.length > 0 ? { blocks, next: [], faults, isLast } : null;
    isOver = isLast || last === null || faults.size > 0;
  }
  if (waiting !== null) yield waiting;
}

function beginAt(number: bigint | null, after: SourcePosition | null): string {
  if (number !== null) return `&block.number=gt:${number}`;
  return after === null ? '' : `&timestamp=gt:${printTimestamp(after.time)}`;
}

/** The newest block; null when the peer has none. */
export async function readNewestBlock(peer: Peer, signal: AbortSignal): Promise<PeerBlock | null> {
  return (await readPage(peer, 'order=desc&limit=1', signal)).blocks[0] ?? null;
}

async function readPage(
  peer: Peer,
  query: string,
  signal: AbortSignal,
): Promise<Pick<BlockPage, 'blocks' | 'isLast'>> {
  const path = `/api/v1/blocks?${query}`;
  const page = await readList(peer, path, { list: 'blocks', what: 'a block', read: readPeerBlock }, signal);
  if (page !== null) return { blocks: page.rows, isLast: !page.hasNext };
  throw new IngestError(
    'source_refused',
    `${path} does not exist: MIRROR_FOLLOW must be the address before /api/v1 of a mirror that has blocks`,
  );
}
