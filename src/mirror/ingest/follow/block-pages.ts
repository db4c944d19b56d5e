import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { FixtureFault, object, objects, text } from '../../items/fixture-members.ts';
import { IngestError } from '../errors.ts';
import { inconsistent } from './inconsistent.ts';
import type { Peer } from './peer.ts';
import { type PeerBlock, readPeerBlock } from './peer-block.ts';

/** Blocks in the order of time. */
export interface BlockPage {
  readonly blocks: readonly PeerBlock[];
  /** What is wrong with a block beside the one before it. */
  readonly faults: ReadonlyMap<PeerBlock, string>;
  /** Whether the peer has nothing after it for now. */
  readonly isLast: boolean;
}

const PAGE = 100;
const BLOCKS = '/api/v1/blocks';

/**
 * Walks over the blocks that end after a time; null for all.
 *
 * @throws IngestError `inconsistent_source` for a block that cannot be read, or what the peer throws.
 */
export async function* walkBlocks(
  peer: Peer,
  after: ConsensusTimestamp | null,
  signal: AbortSignal,
): AsyncGenerator<BlockPage> {
  let last: PeerBlock | null = null;
  for (let from = after; ; ) {
    const begin = from === null ? '' : `&timestamp=gt:${printTimestamp(from)}`;
    const { blocks: listed, isLast } = await readPage(peer, `order=asc&limit=${PAGE}${begin}`, signal);
    const faults = new Map<PeerBlock, string>();
    for (const block of listed) {
      const fault = last === null ? null : faultAfter(last, block);
      if (fault !== null) faults.set(block, fault);
      last = block;
    }
    // The ledger begins between blocks, and ends with one.
    const blocks = listed.filter(({ from: begins }) => after === null || begins > after);
    if (blocks.length > 0) yield { blocks, faults, isLast };
    if (isLast || last === null || faults.size > 0) return;
    from = last.to;
  }
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
  const path = `${BLOCKS}?${query}`;
  const answer = await peer.get(path, signal);
  if (answer === null) {
    throw new IngestError(
      'source_refused',
      `${path} does not exist: MIRROR_FOLLOW must be the address before /api/v1 of a mirror that has blocks`,
    );
  }
  try {
    const blocks = objects(answer, 'blocks').map(readPeerBlock);
    const isLast = blocks.length === 0 || text(object(answer, 'links') ?? {}, 'next') === null;
    return { blocks, isLast: isLast };
  } catch (cause) {
    if (!(cause instanceof FixtureFault)) throw cause;
    throw inconsistent(null, `${path} returned a block in which ${cause.message}`, cause);
  }
}

function faultAfter(before: PeerBlock, block: PeerBlock): string | null {
  if (block.number !== before.number + 1n) return `it comes after block ${before.number}`;
  if (block.from <= before.to) return `it begins before block ${before.number} ends`;
  return null;
}
