import { joinSignals } from '../../../../values/joined-signal.ts';
import { within } from '../../pause.ts';
import { type BlockNodeConnection, BlockNodeError, type FeedTime } from './block-node-connection.ts';
import { type BlockRange, headerNumber, type StreamMessage, setItems } from './grpc-connection.ts';
import type { Holder } from './node-pool.ts';

/** A block as it came: its item sets one behind the other, which is the form of a block file. */
export interface StreamedBlock {
  readonly number: bigint;
  readonly bytes: Uint8Array;
}

/** How large a block may be. */
export interface BlockLimits {
  readonly items: number;
  readonly bytes: number;
}

/** What a message of a stream brought. */
interface AssemblyStep {
  /** Blocks that it made whole. */
  readonly blocks: readonly StreamedBlock[];
  /** Whether the node ended the stream as agreed. */
  readonly isOver: boolean;
}

const MORE: AssemblyStep = { blocks: [], isOver: false };
const HEADER = 1;
const PROOF = 9;
const SUCCESS = 1;
/** What an empty message costs. */
const MESSAGE_BYTES = 8;
/** Codes of a subscription that ends. @see contracts/streams.md section 17.1 */
const REFUSALS: Readonly<Record<number, string>> = {
  0: 'an unknown status',
  2: 'that the request is invalid',
  3: 'an error',
  4: 'that the first requested block is invalid',
  5: 'that the last requested block is invalid',
  6: 'that the requested blocks are not available',
};

/**
 * Puts the messages of one subscription together to blocks, in order and without a hole.
 *
 * Items are passed on by nodes before they were checked, so a block counts with its end alone. Nodes that send no ends
 * are known by the header after a proof; from then on a set whose last item is a proof ends a block, and
 * {@link BlockAssembly.settle} is for the first one. What was sent already and comes once more is passed over.
 *
 * @see contracts/streams.md section 17.2
 */
export class BlockAssembly {
  /** Number of the block that is being received, or comes next. */
  next: bigint;
  readonly #first: bigint;
  readonly #limits: BlockLimits;
  #sets: Uint8Array[] = [];
  #items = 0;
  #bytes = 0;
  #endsWithProof = false;
  /** Null until a block has shown it. */
  #sendsEnds: boolean | null = null;
  /** Block that was taken as whole without an end, which may still come. */
  #untold: bigint | null = null;
  /** A block that is sent once more; its bytes are not kept. */
  #isRepeating = false;
  /** Bytes that brought nothing new since the last new block. */
  repeatedBytes = 0;

  constructor(next: bigint, limits: BlockLimits) {
    this.next = next;
    this.#first = next;
    this.#limits = limits;
  }

  /** Whether a part of a block has come. */
  get isInside(): boolean {
    return this.#sets.length > 0;
  }

  /** Whether the block is whole if the node is one that sends no ends. */
  get maySettle(): boolean {
    return this.#endsWithProof && this.#sendsEnds !== true;
  }

  /** @throws BlockNodeError `protocol`, `limit` or `refused`; the stream is then to be given up. */
  accept(message: StreamMessage): AssemblyStep {
    if (message.kind === 'items') return { blocks: this.#acceptSet(message.set), isOver: false };
    if (message.kind === 'end') return this.#acceptEnd(message.blockNumber);
    if (message.code === SUCCESS) return this.close();
    const what = REFUSALS[message.code] ?? `the status ${message.code}`;
    throw new BlockNodeError('refused', `answered ${what} to a request for block ${this.next}`);
  }

  /** The block whose proof came last, when nothing came behind it for a moment; only while it may settle. */
  settle(): StreamedBlock {
    this.#untold = this.next;
    return this.#finish();
  }

  /** The end of the stream. @throws BlockNodeError `protocol` within a block. */
  close(): AssemblyStep {
    const blocks = this.maySettle ? [this.settle()] : [];
    if (this.isInside) throw new BlockNodeError('protocol', `ended the stream within block ${this.next}`);
    return { blocks, isOver: true };
  }

  #acceptSet(set: Uint8Array): readonly StreamedBlock[] {
    const blocks: StreamedBlock[] = [];
    let last = 0;
    for (const { bytes, field } of setItems(set)) {
      if (last === 0) {
        blocks.push(...this.#open(field, bytes));
        if (this.#isRepeating) {
          this.#repeat(set.length);
          return blocks;
        }
      } else if (field === HEADER) {
        throw new BlockNodeError('protocol', 'sent the items of two blocks in one set');
      }
      last = field;
      this.#items += 1;
      if (this.#items > this.#limits.items) {
        throw new BlockNodeError('limit', `block ${this.next} has more than ${this.#limits.items} items`);
      }
    }
    if (last === 0) {
      this.#repeat(set.length);
      return blocks;
    }
    this.#bytes += set.length;
    if (this.#bytes > this.#limits.bytes) {
      throw new BlockNodeError('limit', `block ${this.next} has more than ${this.#limits.bytes} bytes`);
    }
    this.#sets.push(set);
    this.#endsWithProof = last === PROOF;
    if (this.#endsWithProof && this.#sendsEnds === false) blocks.push(this.settle());
    return blocks;
  }

  /** A node that has nothing new to send is no better than a silent one. */
  #repeat(bytes: number): void {
    this.repeatedBytes += bytes + MESSAGE_BYTES;
    if (this.repeatedBytes > this.#limits.bytes) {
      throw new BlockNodeError(
        'limit',
        `sent more than ${this.#limits.bytes} bytes once more before block ${this.next}`,
      );
    }
  }

  /** Looks at the first item of a set. */
  #open(field: number, item: Uint8Array): readonly StreamedBlock[] {
    if (field !== HEADER) {
      if (this.isInside || this.#isRepeating) return [];
      throw new BlockNodeError(
        'protocol',
        `sent an item ${field} where the header of block ${this.next} comes`,
      );
    }
    const blocks: StreamedBlock[] = [];
    if (this.maySettle) {
      this.#sendsEnds = false;
      blocks.push(this.settle());
    }
    const number = headerNumber(item);
    if (this.isInside) {
      throw new BlockNodeError('protocol', `began block ${number} before the end of block ${this.next}`);
    }
    this.#isRepeating = this.#first <= number && number < this.next;
    if (number !== this.next && !this.#isRepeating) {
      throw new BlockNodeError('protocol', `sent block ${number} where block ${this.next} comes next`);
    }
    if (!this.#isRepeating && this.#untold !== null) this.#sendsEnds ??= false;
    return blocks;
  }

  #acceptEnd(number: bigint): AssemblyStep {
    if (this.#first <= number && number < this.next && !this.isInside) {
      // The end of a block that was taken without it, or once more.
      if (number === this.#untold) this.#sendsEnds = true;
      this.#untold = null;
      this.#isRepeating = false;
      this.#repeat(0);
      return MORE;
    }
    if (!this.isInside || number !== this.next) {
      throw new BlockNodeError('protocol', `ended block ${number} where block ${this.next} was to end`);
    }
    this.#sendsEnds = true;
    return { blocks: [this.#finish()], isOver: false };
  }

  #finish(): StreamedBlock {
    const block = { number: this.next, bytes: joined(this.#sets, this.#bytes) };
    this.next += 1n;
    this.#endsWithProof = false;
    this.repeatedBytes = 0;
    this.#sets = [];
    this.#items = 0;
    this.#bytes = 0;
    return block;
  }
}

function joined(sets: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = sets;
  if (only !== undefined && sets.length === 1) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const set of sets) {
    bytes.set(set, at);
    at += set.length;
  }
  return bytes;
}

interface SubscriptionParts {
  readonly connection: BlockNodeConnection;
  readonly range: BlockRange;
  readonly limits: BlockLimits;
  readonly time: Pick<FeedTime, 'clock' | 'pause'>;
  readonly signal: AbortSignal;
  /** Who says that it has the block. */
  holderOf(number: bigint): Promise<Holder>;
  /** Whether the block did not come from elsewhere meanwhile. */
  isWanted(number: bigint): boolean;
}

/**
 * Why a subscription is over: the range was served, nothing came for long that another node has or that nobody knows of,
 * or what it waited for came from elsewhere.
 */
export type SubscriptionEnd = 'served' | 'quiet' | 'passed';

/** Without a byte for that long, nodes are asked whether there is something. */
const SILENCE_MS = 10_000;
/** What a node has just got it is sending. */
const ON_ITS_WAY_MS = 500;
const BLOCK_MS = 30_000;
/** Older nodes send nothing behind the last set of a block; a later end is no fault. */
const SETTLE_MS = 250;
const COMES = () => 'comes' as const;

/**
 * The blocks of one subscription, each as soon as it is whole; while none is asked for, nothing is read and no time counts.
 *
 * @throws BlockNodeError when the node fails, breaks the order or stalls.
 * @see contracts/streams.md section 17.5
 */
export async function* subscribedBlocks(
  parts: SubscriptionParts,
): AsyncGenerator<StreamedBlock, SubscriptionEnd> {
  const { connection, holderOf, isWanted, limits, range, time } = parts;
  const { clock, pause } = time;
  const ending = joinSignals(parts.signal);
  const assembly = new BlockAssembly(range.start, limits);
  const walk = connection.subscribe(range, ending.signal)[Symbol.asyncIterator]();
  let heardAt = clock.now();
  let blockAt = heardAt;
  let repeatedAt = Number.NEGATIVE_INFINITY;
  const leftMs = () => {
    const silenceMs = assembly.maySettle ? SETTLE_MS : SILENCE_MS;
    return Math.min(heardAt + silenceMs, blockAt + BLOCK_MS) - clock.now();
  };
  const isRepeating = () => clock.now() < repeatedAt + SILENCE_MS;
  try {
    let message = nextOf(walk);
    for (;;) {
      const result = await within(message, leftMs(), pause);
      if (result !== 'late') {
        const before = assembly.repeatedBytes;
        const steps = result.value.done === true ? assembly.close() : assembly.accept(result.value.value);
        const isNew = assembly.repeatedBytes <= before;
        if (isNew) heardAt = clock.now();
        else repeatedAt = clock.now();
        for (const block of steps.blocks) {
          yield block;
          heardAt = blockAt = clock.now();
        }
        if (steps.isOver) return 'served';
        message = nextOf(walk);
        // What brings nothing new puts nothing off.
        if (isNew || leftMs() > 0) continue;
      }
      if (assembly.maySettle) {
        yield assembly.settle();
        heardAt = blockAt = clock.now();
        continue;
      }
      if (clock.now() >= heardAt + SILENCE_MS) {
        if (!isWanted(assembly.next)) return 'passed';
        const lacking = holderOf(assembly.next).then(async (holder) => {
          if (holder === 'itself' || holder === 'another') await pause(ON_ITS_WAY_MS, ending.signal);
          return holder;
        });
        const holder = await Promise.race([lacking, message.then(COMES, COMES)]);
        if (holder === 'itself' || (holder === 'another' && assembly.isInside))
          throw stalled(`sent nothing for ${SILENCE_MS / 1000} s`, assembly);
        if (holder === 'another') return 'quiet';
        heardAt = clock.now();
        // It says itself that there is nothing, and sends nothing.
        if (holder === 'nobody' && !assembly.isInside && !isRepeating()) blockAt = heardAt;
      }
      if (clock.now() < blockAt + BLOCK_MS) continue;
      if (assembly.isInside) throw stalled(`sent no complete block for ${BLOCK_MS / 1000} s`, assembly);
      if (!isRepeating()) return 'quiet';
      const what = `sent nothing new for ${BLOCK_MS / 1000} s before block ${assembly.next}`;
      throw new BlockNodeError('protocol', what);
    }
  } finally {
    ending.end();
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
