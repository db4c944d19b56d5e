import { describe, expect, test } from 'vitest';
import { lengthField } from '../../../../../test/kit/mirror/ingest/block-bytes.ts';
import {
  aBlock,
  endMessage,
  messagesOf,
  statusMessage,
} from '../../../../../test/kit/mirror/ingest/block-node.ts';
import { BlockAssembly } from './block-assembly.ts';
import { readStreamMessage } from './block-node-messages.ts';

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
