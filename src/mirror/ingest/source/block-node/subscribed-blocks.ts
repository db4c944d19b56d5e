import { BlockAssembly, type BlockLimits, type StreamedBlock } from './block-assembly.ts';
import type { BlockNodeConnection } from './block-node-connection.ts';
import { BlockNodeError } from './block-node-error.ts';
import type { BlockRange, StreamMessage } from './block-node-messages.ts';
import { type FeedTime, within } from './feed-time.ts';

export interface SubscriptionParts {
  readonly connection: BlockNodeConnection;
  readonly range: BlockRange;
  readonly limits: BlockLimits;
  readonly time: Pick<FeedTime, 'clock' | 'pause'>;
  readonly signal: AbortSignal;
  /** Whether any node says that it has the block. */
  isKnown(number: bigint): Promise<boolean>;
  /** Whether the block did not come from elsewhere meanwhile. */
  isWanted(number: bigint): boolean;
}

/**
 * Why a subscription is over: the range was served, nothing came for long and nobody has more, or what it waited for
 * came from elsewhere.
 */
export type SubscriptionEnd = 'served' | 'quiet' | 'passed';

/** Without a byte for that long, other nodes are asked whether there is something. */
const SILENCE_MS = 10_000;
const BLOCK_MS = 30_000;
/** Older nodes send nothing behind the last set of a block. */
const SETTLE_MS = 500;

/**
 * The blocks of one subscription, each as soon as it is whole; while none is asked for, nothing is read and no time counts.
 *
 * @throws BlockNodeError when the node fails, breaks the order or stalls.
 * @see contracts/streams.md section 17.5
 */
export async function* subscribedBlocks(
  parts: SubscriptionParts,
): AsyncGenerator<StreamedBlock, SubscriptionEnd> {
  const { connection, isKnown, isWanted, limits, range, time } = parts;
  const { clock, pause } = time;
  const ending = new AbortController();
  const end = () => ending.abort();
  parts.signal.addEventListener('abort', end, { once: true });
  if (parts.signal.aborted) end();
  const assembly = new BlockAssembly(range.start, limits);
  const walk = connection.subscribe(range, ending.signal)[Symbol.asyncIterator]();
  let heardAt = clock.now();
  let blockAt = heardAt;
  try {
    let message = nextOf(walk);
    for (;;) {
      const silenceMs = assembly.maySettle ? SETTLE_MS : SILENCE_MS;
      const until = Math.min(heardAt + silenceMs, blockAt + BLOCK_MS);
      const result = await within(message, until - clock.now(), pause);
      if (result === 'late') {
        if (assembly.maySettle) {
          yield assembly.settle();
          heardAt = blockAt = clock.now();
          continue;
        }
        if (clock.now() >= heardAt + SILENCE_MS) {
          if (!isWanted(assembly.next)) return 'passed';
          if (await isKnown(assembly.next))
            throw stalled(`sent nothing for ${SILENCE_MS / 1000} s`, assembly);
          heardAt = clock.now();
        }
        if (clock.now() < blockAt + BLOCK_MS) continue;
        if (!assembly.isInside) return 'quiet';
        throw stalled(`sent no complete block for ${BLOCK_MS / 1000} s`, assembly);
      }
      heardAt = clock.now();
      const steps = result.value.done === true ? assembly.close() : assembly.accept(result.value.value);
      for (const block of steps.blocks) {
        yield block;
        heardAt = blockAt = clock.now();
      }
      if (steps.isOver) return 'served';
      message = nextOf(walk);
    }
  } finally {
    parts.signal.removeEventListener('abort', end);
    end();
    await walk.return?.().catch(() => {});
  }
}

/** A message that nobody waits for any more may fail. */
function nextOf(walk: AsyncIterator<StreamMessage>): Promise<IteratorResult<StreamMessage>> {
  const message = walk.next();
  message.catch(() => {});
  return message;
}

function stalled(what: string, { next }: BlockAssembly): BlockNodeError {
  return new BlockNodeError('stalled', `${what} although there is block ${next}`);
}
