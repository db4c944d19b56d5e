import { describe, expect, test } from 'vitest';
import { lengthField } from '../../../../../test/kit/mirror/ingest/block-bytes.ts';
import {
  aBlock,
  endMessage,
  itemsMessage,
  messagesOf,
  statusMessage,
} from '../../../../../test/kit/mirror/ingest/block-node.ts';
import { manualTime } from '../../../../../test/kit/mirror/ingest/manual-time.ts';
import { BlockAssembly, subscribedBlocks } from './block-assembly.ts';
import type { BlockNodeError } from './block-node-connection.ts';
import { MAX_UINT64, readStreamMessage, type StreamMessage } from './grpc-connection.ts';
import type { Holder } from './node-pool.ts';

const LIMITS = { items: 100, bytes: 10_000 };
const NUMBER = 7n;

/** Numbers of the blocks that messages make, or what is wrong with them. */
function assembled(messages: readonly Uint8Array[], assembly = new BlockAssembly(NUMBER, LIMITS)) {
  const blocks: bigint[] = [];
  for (const message of messages) {
    const step = assembly.accept(readStreamMessage(message));
    blocks.push(...step.blocks.map(({ number }) => number));
  }
  return blocks;
}
const sent = (number: bigint, options = {}) => messagesOf(number, aBlock(number), options);

describe('BlockAssembly', () => {
  test('puts the sets of a block together byte by byte, whatever their size', () => {
    for (const setItems of [1, 3, 5, 100]) {
      const assembly = new BlockAssembly(NUMBER, LIMITS);
      const blocks = sent(NUMBER, { setItems }).flatMap(
        (message) => assembly.accept(readStreamMessage(message)).blocks,
      );
      expect(blocks).toEqual([{ number: NUMBER, bytes: aBlock(NUMBER) }]);
    }
  });

  test('takes block after block, also numbers beyond the range of a double', () => {
    const high = 2n ** 63n + 1n;
    expect(assembled([...sent(NUMBER), ...sent(NUMBER + 1n)])).toEqual([7n, 8n]);
    expect(assembled(sent(high), new BlockAssembly(high, LIMITS))).toEqual([high]);
    expect(assembled(sent(0n), new BlockAssembly(0n, LIMITS))).toEqual([0n]);
  });

  test('counts no block before its end', () => {
    expect(assembled(sent(NUMBER).slice(0, -1))).toEqual([]);
  });

  test('knows an older node by the header behind a proof, from then on ends blocks with their proof', () => {
    const old = { sendsNoEnds: true };
    expect(assembled([...sent(NUMBER, old), ...sent(8n, old)])).toEqual([7n, 8n]);
    const assembly = new BlockAssembly(NUMBER, LIMITS);
    expect(assembled(sent(NUMBER, old), assembly)).toEqual([]);
    expect(assembly.maySettle).toBe(true);
    expect(assembly.settle()).toEqual({ number: NUMBER, bytes: aBlock(NUMBER) });
    expect(assembly.maySettle).toBe(false);
    expect(assembled(sent(8n), assembly)).toEqual([8n]);
  });

  test('knows one whose blocks were settled as well', () => {
    const assembly = new BlockAssembly(NUMBER, LIMITS);
    const old = { sendsNoEnds: true };
    assembled(sent(NUMBER, old), assembly);
    assembly.settle();
    expect(assembled([...sent(8n, old), ...sent(9n, old)], assembly)).toEqual([8n, 9n]);
  });

  test.each([
    ['with ends', {}],
    ['without ends', { sendsNoEnds: true }],
  ])('passes over what comes once more, %s', (_name, options) => {
    const [seven, eight, nine] = [7n, 8n, 9n].map((number) => sent(number, { ...options, setItems: 3 }));
    const again = [seven, seven, eight, eight, seven, eight, nine, nine].flatMap((each) => each ?? []);
    const assembly = new BlockAssembly(NUMBER, LIMITS);
    expect(assembled(again, assembly)).toEqual([7n, 8n, 9n]);
    expect(assembly.isInside).toBe(false);
    expect(assembled(sent(10n, options), assembly)).toEqual([10n]);
  });

  test('passes over an end that comes once more', () => {
    expect(assembled([...sent(NUMBER), endMessage(NUMBER), ...sent(8n)])).toEqual([7n, 8n]);
  });

  test('gives up a node that sends nothing new', () => {
    const repeated = Array.from({ length: 100 }, () => sent(NUMBER)).flat();
    expect(() => assembled([...sent(NUMBER), ...repeated])).toThrow(
      'sent more than 10000 bytes once more before block 8',
    );
  });

  test.each([
    ['ends', sent(NUMBER), endMessage(NUMBER), 8],
    ['empty sets', sent(NUMBER), itemsMessage(new Uint8Array()), 8],
    ['empty sets within a block', sent(NUMBER).slice(0, 1), itemsMessage(new Uint8Array()), 7],
  ])('gives up a node that sends only %s', (_name, before, message, next) => {
    const empty = Array.from({ length: LIMITS.bytes }, () => message);
    expect(() => assembled([...before, ...empty])).toThrow(
      `sent more than 10000 bytes once more before block ${next}`,
    );
  });

  test('takes the end of a block that was settled before it came', () => {
    const assembly = new BlockAssembly(NUMBER, LIMITS);
    const [end = new Uint8Array(), ...sets] = [...sent(NUMBER)].reverse();
    assembled(sets.reverse(), assembly);
    assembly.settle();
    expect(assembled([end, ...sent(8n)], assembly)).toEqual([8n]);
    expect(assembly.maySettle).toBe(false);
  });

  test('ends with success between blocks', () => {
    const assembly = new BlockAssembly(NUMBER, LIMITS);
    assembled(sent(NUMBER), assembly);
    expect(assembly.accept(readStreamMessage(statusMessage(1)))).toEqual({ blocks: [], isOver: true });
    const older = new BlockAssembly(NUMBER, LIMITS);
    assembled(sent(NUMBER, { sendsNoEnds: true }), older);
    expect(older.accept(readStreamMessage(statusMessage(1)))).toMatchObject({
      blocks: [{ number: NUMBER }],
      isOver: true,
    });
  });

  const [first = new Uint8Array(), second = new Uint8Array()] = sent(NUMBER);
  test.each([
    ['a block left out', sent(8n), 'sent block 8 where block 7 comes next'],
    ['an item without a header', [second], 'sent an item 4 where the header of block 7 comes'],
    ['a header within a block', [first, ...sent(NUMBER)], 'began block 7 before the end of block 7'],
    ['another end', [...sent(NUMBER).slice(0, -1), endMessage(8n)], 'ended block 8 where block 7 was to end'],
    ['an end without a block', [endMessage(NUMBER)], 'ended block 7 where block 7 was to end'],
    ['a block of before', [...sent(NUMBER), ...sent(6n)], 'sent block 6 where block 8 comes next'],
    ['an end of before', [...sent(NUMBER), endMessage(6n)], 'ended block 6 where block 8 was to end'],
    ['success within a block', [first, statusMessage(1)], 'ended the stream within block 7'],
    [
      'two blocks in a set',
      [lengthField(2, Buffer.concat([aBlock(7n), aBlock(8n)]))],
      'two blocks in one set',
    ],
    [
      'a field that is no item',
      [lengthField(2, lengthField(2, Uint8Array.of(1)))],
      'has a field 2 that is not an item',
    ],
    ['an empty item', [lengthField(2, lengthField(1, new Uint8Array()))], 'an item is empty'],
    ['a cut set', [lengthField(2, aBlock(7n).subarray(0, 15))], 'cannot be read'],
  ])('refuses %s', (_name, messages, reason) => {
    expect(() => assembled(messages)).toThrow(reason);
  });

  test.each([
    [0, 'an unknown status'],
    [2, 'that the request is invalid'],
    [3, 'an error'],
    [4, 'that the first requested block is invalid'],
    [5, 'that the last requested block is invalid'],
    [6, 'that the requested blocks are not available'],
    [99, 'the status 99'],
  ])('names the status %i', (code, reason) => {
    expect(() => assembled([statusMessage(code)])).toThrow(`answered ${reason} to a request for block 7`);
  });

  test('refuses a block above the limits, and names the limit', () => {
    const large = messagesOf(NUMBER, aBlock(NUMBER, { items: 9, itemBytes: 2000 }), {});
    expect(() => assembled(large)).toThrow('block 7 has more than 10000 bytes');
    const many = messagesOf(NUMBER, aBlock(NUMBER, { items: 99 }), { setItems: 1 });
    expect(() => assembled(many)).toThrow('block 7 has more than 100 items');
    expect(assembled(messagesOf(NUMBER, aBlock(NUMBER, { items: 98 }), { setItems: 1 }))).toEqual([7n]);
  });
});

/** A subscription that waits for the first block, and what becomes of it. */
function subscription(holder: Holder | Promise<Holder>, limits = LIMITS) {
  const time = manualTime(1_000_000);
  const sets: StreamMessage[] = [];
  let wake = (): void => {};
  const seen: (bigint | string)[] = [];
  const ending = new AbortController();
  const blocks = subscribedBlocks({
    connection: {
      async *subscribe(_range: unknown, signal: AbortSignal) {
        while (!signal.aborted) {
          yield* sets.splice(0);
          await new Promise<void>((resolve) => {
            wake = resolve;
            signal.addEventListener('abort', () => resolve());
          });
        }
      },
    } as never,
    limits,
    time,
    signal: ending.signal,
    range: { start: NUMBER, end: MAX_UINT64 },
    holderOf: async () => holder,
    isWanted: () => true,
  });
  const walk = async () => {
    for (;;) {
      const turn = await blocks.next();
      seen.push(turn.done === true ? turn.value : turn.value.number);
      if (turn.done === true) return;
    }
  };
  void walk().catch((error: BlockNodeError) => seen.push(`${error.fault}: ${error.message}`));
  return {
    seen,
    time,
    send(messages: readonly Uint8Array[]) {
      sets.push(...messages.map(readStreamMessage));
      wake();
    },
  };
}

describe('a subscription on which nothing comes', () => {
  test.each<[Holder, number, string]>([
    ['itself', 10_500, 'stalled: sent nothing for 10 s although there is block 7'],
    ['another', 10_500, 'quiet'],
    ['unknown', 30_000, 'quiet'],
  ])('is given up when the block has: %s', async (holder, afterMs, end) => {
    const { seen, time } = subscription(holder);
    await time.pass(afterMs - 1);
    expect(seen).toEqual([]);
    await time.pass(1);
    expect(seen).toEqual([end]);
  });

  test('stays open for hours when its node says that there is none', async () => {
    const { seen, send, time } = subscription('nobody');
    await time.pass(3_600_000);
    expect(seen).toEqual([]);
    send(sent(NUMBER));
    await time.pass(0);
    expect(seen).toEqual([NUMBER]);
  });

  test.each<[string, Holder | Promise<Holder>]>([
    ['have it, since it is on its way', 'itself'],
    ['have it all', 'another'],
    ['do not answer', new Promise(() => {})],
  ])('gives the block that comes while nodes are asked, which %s', async (_name, holder) => {
    const { seen, send, time } = subscription(holder);
    await time.pass(10_400);
    send(sent(NUMBER));
    await time.pass(0);
    expect(seen).toEqual([NUMBER]);
  });

  test('is given up within a block whose rest another node has', async () => {
    const { seen, send, time } = subscription('another');
    await time.pass(0);
    send(sent(NUMBER).slice(0, 1));
    await time.pass(10_500);
    expect(seen).toEqual(['stalled: sent nothing for 10 s although there is block 7']);
  });
});

describe('a subscription on which nothing new comes', () => {
  const EMPTY = itemsMessage(new Uint8Array());
  const MANY = { items: 100, bytes: 1_000_000 };
  /** The same message again and again. */
  async function flood(
    { send, time }: ReturnType<typeof subscription>,
    message: Uint8Array,
    forMs: number,
    stepMs = 1_000,
  ) {
    for (let ms = 0; ms < forMs; ms += stepMs) {
      time.clock.advance(stepMs);
      send([message, message, message]);
      await time.pass(0);
    }
  }

  test.each<[string, Uint8Array, Holder, number]>([
    ['ends once more', endMessage(NUMBER), 'unknown', 100],
    ['ends once more, and says that it has no more', endMessage(NUMBER), 'nobody', 100],
    ['ends once more, every nine seconds', endMessage(NUMBER), 'nobody', 9_000],
    ['empty sets', EMPTY, 'nobody', 100],
    ['sets once more', sent(NUMBER)[0] ?? EMPTY, 'nobody', 1_000],
  ])('is the fault of a node that sends %s for 30 s', async (_name, message, holder, stepMs) => {
    const node = subscription(holder, MANY);
    await node.time.pass(0);
    node.send(sent(NUMBER));
    await node.time.pass(0);
    await flood(node, message, 29_000 - stepMs, stepMs);
    expect(node.seen).toEqual([NUMBER]);
    await flood(node, message, 1_000 + 2 * stepMs, stepMs);
    expect(node.seen).toEqual([NUMBER, 'protocol: sent nothing new for 30 s before block 8']);
  });

  test('is given up within a block that empty sets keep open', async () => {
    const node = subscription('nobody', MANY);
    await node.time.pass(0);
    node.send(sent(NUMBER).slice(0, 1));
    await node.time.pass(0);
    await flood(node, EMPTY, 31_000);
    expect(node.seen).toEqual(['stalled: sent no complete block for 30 s although there is block 7']);
  });

  test('is given up when another node has what this one repeats before', async () => {
    const node = subscription('another', MANY);
    await node.time.pass(0);
    node.send(sent(NUMBER));
    await node.time.pass(0);
    for (let each = 0; each < 3; each++) {
      node.send([endMessage(NUMBER)]);
      await node.time.pass(3_500);
    }
    expect(node.seen).toEqual([NUMBER, 'quiet']);
  });

  test('is no fault of a node that sent its last block twice', async () => {
    const node = subscription('unknown', MANY);
    await node.time.pass(0);
    node.send([...sent(NUMBER), ...sent(NUMBER)]);
    await node.time.pass(0);
    await node.time.pass(30_000);
    expect(node.seen).toEqual([NUMBER, 'quiet']);
  });

  test('gives the next block whatever was repeated before it', async () => {
    const node = subscription('nobody', MANY);
    await node.time.pass(0);
    node.send(sent(NUMBER));
    await node.time.pass(0);
    await flood(node, endMessage(NUMBER), 20_000);
    node.send(sent(8n));
    await node.time.pass(0);
    expect(node.seen).toEqual([NUMBER, 8n]);
  });
});
