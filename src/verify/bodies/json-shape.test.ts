import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { findJsonExcess } from './parse-body.ts';

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
