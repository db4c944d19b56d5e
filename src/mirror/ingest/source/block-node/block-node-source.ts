import type { Clock } from '../../../../values/clock.ts';
import { type ConsensusTimestamp, timestampFromParts } from '../../../../values/consensus-timestamp.ts';
import { joinSignals } from '../../../../values/joined-signal.ts';
import type { RegisteredNodes } from '../../../ledger/registered-nodes.sql.ts';
import { type BlockSource, blockFileName } from '../../block/block-source.ts';
import { IngestError } from '../../errors.ts';
import { type Pause, within } from '../../pause.ts';
import type { BlockNodeAddress, BlockNodesSettings } from '../../units/live-source.ts';
import type { SourcePosition, SourceStanding, StreamSource } from '../../units/stream-source.ts';
import type { StreamUnit } from '../../units/stream-unit.ts';
import type { BlockLimits } from './block-assembly.ts';
import type { ReceivedBlock } from './block-buffer.ts';
import {
  type BlockNode,
  type BlockNodeConnection,
  BlockNodeError,
  type ConnectToNode,
  type FeedTime,
  systemFeedTime,
} from './block-node-connection.ts';
import { BlockNodeFeed } from './block-node-feed.ts';
import { createDiscovery, type LookUp } from './discovered-nodes.ts';
import { connectByGrpc, headerTime, type NodeRange, setItems } from './grpc-connection.ts';
import { NodePool } from './node-pool.ts';

export interface BlockNodeSourceParts {
  /** @throws IngestError when the header of the block cannot be read. */
  makeUnit(block: BlockSource): StreamUnit;
  /** Nodes that the ledger itself names, which are asked after those of the settings. Default none. */
  readonly registered?: RegisteredNodes;
  /** Default the system's. */
  readonly lookUp?: LookUp;
  /** Default 800,000 items and 128 MiB. */
  readonly limits?: BlockLimits;
  /** Default gRPC. */
  readonly connect?: ConnectToNode;
  readonly time?: FeedTime;
}

/** @see contracts/streams.md section 17.5 */
export const BLOCK_LIMITS: BlockLimits = { items: 800_000, bytes: 128 * 1024 * 1024 };

/** How long a listing waits for a block that the network has. */
const WAIT_TIMEOUT_MS = 1_000;
/** How long the header of a block may take that only its time is asked of. */
const HEADER_MS = 10_000;
const OTHERS_FIRST = 'has a proof that cannot be checked: the block is requested from other nodes first';
/** A source that could not find its first block is asked again. */
const NOT_BEGUN_MS = 5_000;

/**
 * Blocks as nodes push them: what is missed from the past, then each as soon as it is whole.
 *
 * A subscription lives on between two listings and receives into a bounded buffer; a listing gives what has come, and goes
 * on while there is more to catch up with. A block that was refused comes again from the next node.
 *
 * @see docs/adr/0020-sources.md, contracts/streams.md section 17
 */
export function createBlockNodeSource(
  settings: BlockNodesSettings,
  parts: BlockNodeSourceParts,
): StreamSource {
  const { limits = BLOCK_LIMITS, lookUp, makeUnit, registered, time = systemFeedTime } = parts;
  const configured = settings.nodes.map(configuredNode);
  const found = createDiscovery(settings.discovery, { registered, lookUp, clock: time.clock });
  const nodes = async (): Promise<readonly BlockNode[]> => {
    const names = new Set(configured.map(({ name }) => name));
    return [...configured, ...(await found()).filter(({ name }) => !names.has(name))];
  };
  const pool = new NodePool(nodes, parts.connect ?? connectByGrpc(limits), time);
  const feed = new BlockNodeFeed({ pool, limits, time });
  const doubts = new UncheckedBlocks({ pool, feed, clock: time.clock });
  const closing = new AbortController();
  /** What was wrong when a listing last told it. */
  let told: string | null = null;

  const unitOf = (block: ReceivedBlock): StreamUnit => {
    const name = blockFileName(block.number);
    const { bytes, node, number } = block;
    try {
      const unit = makeUnit({ name, path: `${node}/${name}`, node: null, number, bytes });
      return {
        ...unit,
        verify: async (demands) => {
          const verified = await blaming(block, () => unit.verify(demands));
          if (await doubts.isLeftToOthers(block, verified.isUncheckable ?? false, closing.signal)) {
            throw new IngestError('unsupported_proof', `${block.node}/${name} ${OTHERS_FIRST}`);
          }
          return verified;
        },
      };
    } catch (error) {
      if (error instanceof IngestError) feed.refuse(block, error.message);
      throw error;
    }
  };
  const blaming = async <T>(block: ReceivedBlock, work: () => Promise<T>): Promise<T> => {
    try {
      const verified = await work();
      pool.served(block.node);
      return verified;
    } catch (error) {
      if (error instanceof IngestError) feed.refuse(block, error.message);
      throw error;
    }
  };
  async function* pages(signal: AbortSignal): AsyncGenerator<readonly StreamUnit[]> {
    while (!signal.aborted && !feed.isClosed) {
      const block = feed.take();
      if (block !== null) {
        yield [unitOf(block)];
        continue;
      }
      if (!feed.hasMore) break;
      if ((await within(feed.changed(signal), WAIT_TIMEOUT_MS, time.pause)) === 'late') break;
    }
    const { trouble } = feed;
    told = trouble?.text ?? null;
    if (trouble !== null && !signal.aborted) {
      throw new IngestError(trouble.isReachable ? 'source_refused' : 'source_unreachable', trouble.text);
    }
  }
  return {
    name: settings.name,
    addressBook: async () => null,
    async list(after, signal = closing.signal) {
      feed.seek(await firstWanted(pool, after, settings.firstBlock ?? null, time.pause, signal));
      return { older: [], pages: pages(signal) };
    },
    async changed(signal) {
      if (!feed.isRunning) return time.pause(NOT_BEGUN_MS, signal);
      const hasNews = () => feed.isReady || (feed.trouble !== null && feed.trouble.text !== told);
      while (!signal.aborted && !feed.isClosed && !hasNews()) {
        if (feed.trouble === null) told = null;
        await feed.changed(signal);
      }
    },
    standing: () => standingOf(feed, pool),
    async close() {
      closing.abort();
      await feed.close();
    },
  };
}

/** The block behind a position, which tells its number or its time. */
async function firstWanted(
  pool: NodePool,
  after: SourcePosition | null,
  firstBlock: bigint | null,
  pause: Pause,
  signal: AbortSignal,
): Promise<bigint> {
  const last = after?.blockNumber ?? null;
  if (last !== null) return last + 1n;
  if (firstBlock !== null && firstBlock >= 0n) return firstBlock;
  if (after === null && firstBlock === null) return 0n;
  const chosen = await pool.any(signal);
  if (chosen === null) {
    const why = pool.notes().join('; ');
    throw new IngestError('source_unreachable', `No block node reports which blocks it has: ${why}`);
  }
  const ending = joinSignals(signal);
  try {
    const { status } = chosen;
    if (typeof status === 'string') {
      if (firstBlock === null) return 0n;
      throw new BlockNodeError('refused', 'has no block yet, and MIRROR_FIRST_BLOCK=-1 requires its first');
    }
    if (after === null || firstBlock !== null) return status.first;
    const beginsAt = async (number: bigint) => {
      const begin = await within(beginOf(number, chosen.connection, ending.signal), HEADER_MS, pause);
      if (begin === 'late') throw sentNothing(number);
      return begin.value;
    };
    return await firstBlockAfter(after.time, status, beginsAt);
  } catch (error) {
    if (!(error instanceof BlockNodeError)) throw error;
    pool.failed(chosen.node.name, error);
    throw new IngestError('source_unreachable', `${chosen.node.name} ${error.message}`, { cause: error });
  } finally {
    ending.end();
    chosen.connection.close();
  }
}

function standingOf(feed: BlockNodeFeed, pool: NodePool): SourceStanding {
  const { newest } = feed;
  const notes = [...pool.notes()];
  if (feed.isAhead) {
    notes.push(
      `the block nodes have blocks up to ${pool.highest}, which this ledger has passed: they lag, or the network was reset`,
    );
  }
  return {
    node: feed.node?.name ?? null,
    newest: newest === null ? null : { blockNumber: newest, time: null },
    notes,
  };
}

/** A node of the settings: both services on one host, on one port or two. */
function configuredNode({ host, isTls, name, statusPort, streamPort }: BlockNodeAddress): BlockNode {
  return {
    name,
    stream: { host, port: streamPort, isTls },
    status: { host, port: statusPort, isTls },
  };
}

/**
 * Number of the first block that begins later than a time, found in some thirty headers; the one behind the last
 * when none does.
 *
 * @throws BlockNodeError
 */
async function firstBlockAfter(
  time: ConsensusTimestamp,
  range: NodeRange,
  beginsAt: (number: bigint) => Promise<ConsensusTimestamp>,
): Promise<bigint> {
  let [low, high] = [range.first, range.last + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    if ((await beginsAt(middle)) > time) high = middle;
    else low = middle + 1n;
  }
  return low;
}

async function beginOf(
  number: bigint,
  connection: Pick<BlockNodeConnection, 'subscribe'>,
  signal: AbortSignal,
): Promise<ConsensusTimestamp> {
  for await (const message of connection.subscribe({ start: number, end: number }, signal)) {
    if (message.kind !== 'items') break;
    for (const { bytes } of setItems(message.set)) {
      const { nanos, seconds } = headerTime(bytes);
      return timestampFromParts(seconds, nanos);
    }
  }
  throw sentNothing(number);
}

function sentNothing(number: bigint): BlockNodeError {
  return new BlockNodeError('refused', `sent nothing of block ${number}`);
}

/** How long nodes are waited for that do not have the block yet or do not answer, and those that say they have it. */
const OTHERS_MS = { 'lack it': 10_000, 'have it': 60_000, 'are none': 0 } as const;

/**
 * Blocks whose proofs are of a form that this version cannot check: a network that was upgraded sends them, and so does a
 * node that makes blocks up. One is taken when every other node was asked, for a minute at most, and none gave a better proof; from then on
 * they all are, until a proof holds again.
 *
 * @see contracts/streams.md section 18.2
 */
class UncheckedBlocks {
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
