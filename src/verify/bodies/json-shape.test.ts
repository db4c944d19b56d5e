import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { BodyBudget } from '../../http/bodies/body-budget.ts';
import { findJsonExcess, heapBytesOfBody } from './parse-body.ts';

const find = (text: string, depth = 3, values = 5) => findJsonExcess(Buffer.from(text), { depth, values });

describe('findJsonExcess', () => {
  test.each([
    ['[[[]]]', null],
    ['[[[[]]]]', 'depth'],
    ['[[],[],[]]', 'values'],
    ['[1,2,3,4,5]', null],
    ['[1,2,3,4,5,6]', 'values'],
    ['{"a":{"b":{"c":1}}}', null],
    ['{"a":{"b":{"c":{}}}}', 'depth'],
    ['["[[[[[,,,,,,,"]', null],
    ['["\\"[[[[[,,,,,,,"]', null],
    ['["\\\\",[[[]]]]', 'depth'],
    ['"', null],
    ['', null],
  ])('%s: %s', (text, excess) => {
    expect(find(text)).toBe(excess);
  });

  test('agrees with the parsed value', () => {
    const count = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Math.max(1, Object.values(value).length) +
          Object.values(value).reduce((sum, each) => sum + count(each), 0)
        : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.integer({ min: 0, max: 40 }), (value, values) => {
        const text = Buffer.from(JSON.stringify(value));
        const excess = findJsonExcess(text, { depth: 100, values });
        expect(excess).toBe(count(value) > values ? 'values' : null);
      }),
    );
  });
});

describe('heapBytesOfBody', () => {
  const body = Buffer.from('[{},{}]');

  test('takes the most that a body of its size can take while half of the room is free, and counts otherwise', () => {
    const room = new BodyBudget(2 * 28 * body.length);
    expect(heapBytesOfBody(room, body)).toBe(28 * body.length);
    room.take(1, 0);
    expect(heapBytesOfBody(room, body)).toBe(2 * body.length + 5 * 104);
    expect(heapBytesOfBody(new BodyBudget(1_000_000), body, 2)).toBe(30 * body.length);
  });

  test('reads no byte while half of the room is free', () => {
    const unread = new Proxy(body, {
      get: (target, name) => (name === 'length' ? target.length : expect.fail(`reads ${String(name)}`)),
    });
    expect(heapBytesOfBody(new BodyBudget(1_000_000), unread)).toBe(28 * body.length);
  });
});
