import {
  type BlockLimits,
  type StreamedBlock,
  type SubscriptionEnd,
  subscribedBlocks,
} from './block-assembly.ts';
import { BlockBuffer, type ReceivedBlock } from './block-buffer.ts';
import { type BlockNode, BlockNodeError, type FeedTime } from './block-node-connection.ts';
import { MAX_UINT64 } from './grpc-connection.ts';
import type { ChosenNode, NodePool, NodeTrouble } from './node-pool.ts';

interface FeedParts {
  readonly pool: NodePool;
  readonly limits: BlockLimits;
  readonly time: FeedTime;
}

/** Blocks that another source brought are let pass on a subscription, unless there are many. */
const PASS_BY = 16n;
/** The past is asked for by its end, so that the node may serve it otherwise; a few blocks are not worth a request. */
const FEW = 16n;
const RETURN_MS = 600_000;
/** Before a node is asked again for a block that it gave, because no other one gives it. */
const AGAIN_MS = 1_000;

/**
 * Receives blocks from one node at a time, in order, whether somebody takes them or not; when its buffer is full it reads
 * no further.
 *
 * @see contracts/streams.md section 17.5
 */
export class BlockNodeFeed {
  /** Why nothing comes; null when something does, or may. */
  trouble: NodeTrouble | null = null;
  /** Whether nodes were asked at all since the feed began. */
  hasChosen = false;
  /** The node whose stream is open. */
  node: BlockNode | null = null;
  /** The one whose stream was opened last. */
  #followed: BlockNode | null = null;
  readonly #parts: FeedParts;
  readonly #buffer = new BlockBuffer();
  readonly #stop = new AbortController();
  #stream = new AbortController();
  /** The next one to receive, and the next one to take. */
  #next = 0n;
  #wanted = 0n;
  /** The first one that came. */
  #first: bigint | null = null;
  /** Who gave a block that others are asked for. */
  #heard: { readonly number: bigint; readonly nodes: ReadonlySet<string> } | null = null;
  #running: Promise<void> | null = null;
  /** What ended it by itself. */
  #fault: unknown = null;
  readonly #waiting = new Set<() => void>();

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** The highest block that the network has, as far as it is known: what came it has. */
  get newest(): bigint | null {
    const said = this.#parts.pool.newest(this.#followed);
    const next = this.#buffer.first === null ? this.#wanted : this.#next;
    const hasCome = this.#first !== null && this.#first < next;
    return hasCome && (said === null || said < next) ? next - 1n : said;
  }

  /** Whether more than what has come is there to be taken, so that waiting a moment is worth it. */
  get hasMore(): boolean {
    if (!this.hasChosen) return this.#running !== null;
    const { pool } = this.#parts;
    const last = pool.lastOf(this.node) ?? pool.highest;
    return this.trouble === null && last !== null && last >= this.#wanted;
  }

  /** Whether every node is so far behind that it cannot say what comes next. */
  get isAhead(): boolean {
    const { highest } = this.#parts.pool;
    return highest !== null && highest + 1n < this.#next && this.node === null;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /**
   * Goes on at a block; what has come of it stays.
   *
   * @throws what ended the feed by itself; the next call begins it anew.
   */
  seek(wanted: bigint): void {
    this.#wanted = wanted;
    this.#buffer.dropBefore(wanted);
    const first = this.#buffer.first;
    const isComing =
      first === null ? this.#next <= wanted && wanted - this.#next <= PASS_BY : first.number === wanted;
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault;
    if (this.#running === null) {
      this.#next = wanted;
      this.#running = this.#run().catch((error: unknown) => {
        this.#fault = error;
        this.#running = null;
        this.#wake();
      });
    } else if (!isComing) this.#restartAt(wanted);
    else this.#wake();
  }

  /** The next block; null while it has not come. */
  take(): ReceivedBlock | null {
    if (this.#buffer.first?.number !== this.#wanted) return null;
    this.#wanted += 1n;
    const block = this.#buffer.take();
    this.#wake();
    return block;
  }

  /** Whether the next block has come. */
  get isReady(): boolean {
    return this.#buffer.first?.number === this.#wanted;
  }

  /** Gives a block once more, from another node. */
  refuse(block: ReceivedBlock, reason: string): void {
    this.#parts.pool.gaveBadBlock(block.node, `sent block ${block.number}, which was rejected: ${reason}`);
    this.#wanted = block.number;
    this.#restartAt(block.number);
  }

  /** Gives a block once more, from a node that is not among those heard if there is one. */
  hearOthers({ number }: ReceivedBlock, heard: ReadonlySet<string>): void {
    this.#heard = { number, nodes: heard };
    this.#wanted = number;
    this.#restartAt(number);
  }

  /** Settles with the next change: a block came or was taken, trouble began, the feed closed; or with the signal. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        signal.removeEventListener('abort', settle);
        this.#waiting.delete(settle);
        resolve();
      };
      signal.addEventListener('abort', settle, { once: true });
      this.#waiting.add(settle);
      if (signal.aborted) settle();
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#stream.abort();
    this.#wake();
    await this.#running;
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  #wake(): void {
    for (const settle of [...this.#waiting]) settle();
  }

  #restartAt(number: bigint): void {
    this.#buffer.clear();
    this.#next = number;
    this.#stream.abort();
    this.#wake();
  }

  async #run(): Promise<void> {
    const { pool, time } = this.#parts;
    let quiet: string | null = null;
    while (!this.isClosed) {
      // What another source brought while nothing was received is not asked for.
      if (this.#next < this.#wanted) this.#next = this.#wanted;
      const next = this.#next;
      this.#stream = new AbortController();
      const heard = this.#heard?.number === next ? this.#heard.nodes : undefined;
      const chosen = await pool.choose(next, this.#stop.signal, quiet, heard);
      this.hasChosen = true;
      if ('waitMs' in chosen) {
        this.trouble = chosen.trouble;
        this.#wake();
        await time.pause(chosen.waitMs, this.#stop.signal);
        continue;
      }
      this.trouble = null;
      this.node = this.#followed = chosen.node;
      this.#wake();
      if (heard?.has(chosen.node.name)) await time.pause(AGAIN_MS, this.#stop.signal);
      // A block that was asked for meanwhile needs a choice of its own.
      const end = next === this.#next ? await this.#follow(chosen) : null;
      quiet = end === 'quiet' ? chosen.node.name : null;
      chosen.connection.close();
      this.node = null;
    }
  }

  /** Receives until the stream is over or another one is wanted. */
  async #follow({ connection, node, status }: ChosenNode): Promise<SubscriptionEnd | null> {
    const { limits, pool, time } = this.#parts;
    const { signal } = this.#stream;
    const start = this.#next;
    const isPast = typeof status !== 'string' && status.last >= start + FEW;
    const blocks = subscribedBlocks({
      connection,
      limits,
      time,
      signal,
      range: { start, end: isPast ? status.last : MAX_UINT64 },
      holderOf: (number) => pool.holderOf(number, node.name, signal),
      isWanted: (number) => number >= this.#wanted,
    });
    const mayReturn = this.#looksForBetter(node.name, signal);
    try {
      for (;;) {
        const turn = await blocks.next();
        if (signal.aborted) return null;
        if (turn.done === true) {
          if (turn.value === 'served' && this.#next === start) {
            throw new BlockNodeError('refused', `ended the stream before block ${start}`);
          }
          return turn.value;
        }
        await this.#receive(turn.value, node.name, signal);
        if (mayReturn()) return null;
      }
    } catch (error) {
      if (!(error instanceof BlockNodeError)) throw error;
      if (!signal.aborted) pool.failed(node.name, error);
      return null;
    } finally {
      await blocks.return('quiet');
    }
  }

  async #receive(block: StreamedBlock, node: string, signal: AbortSignal): Promise<void> {
    while (this.#buffer.isFull && !signal.aborted) await this.changed(signal);
    if (signal.aborted) return;
    this.#first ??= block.number;
    this.#next = block.number + 1n;
    if (block.number >= this.#wanted) this.#buffer.push({ ...block, node });
    this.#wake();
  }

  /** Tells between blocks whether a node that is preferred to this one is back; asks every ten minutes. */
  #looksForBetter(node: string, signal: AbortSignal): () => boolean {
    const { pool, time } = this.#parts;
    let lookAt = time.clock.now() + RETURN_MS;
    let isBack = false;
    return () => {
      if (time.clock.now() >= lookAt) {
        lookAt = time.clock.now() + RETURN_MS;
        pool.hasBetter(node, this.#next, signal).then(
          (found) => {
            isBack = found;
          },
          () => {},
        );
      }
      return isBack;
    };
  }
}
