import { expect, test } from 'vitest';
import { parseAccountFilter } from './account-filter.ts';
import { NO_MATCH } from './no-match.ts';

const HOME = { shard: 0n, realm: 0n };
const ADDRESS = 'ab'.repeat(20);

test('numbers are combined without a look-up, and without a promise', () => {
  const filter = parseAccountFilter(['0.0.5', 'gte:6', '7'], HOME, () => expect.unreachable());
  expect(filter).toEqual({ kind: 'set', ids: [7n] });
});

test('addresses are looked up one after the other', async () => {
  const asked: string[] = [];
  let isBusy = false;
  const resolve = async (hex: string) => {
    expect(isBusy).toBe(false);
    isBusy = true;
    asked.push(hex);
    await new Promise((done) => setImmediate(done));
    isBusy = false;
    return BigInt(asked.length);
  };
  const filter = parseAccountFilter([`0x${ADDRESS}`, `0x${'cd'.repeat(20)}`, '9'], HOME, resolve);
  expect(await filter).toEqual({ kind: 'set', ids: [1n, 2n, 9n] });
  expect(asked).toEqual([ADDRESS, 'cd'.repeat(20)]);
});

test('a number that cannot be encoded is refused before anything is looked up', () => {
  const texts = [`0x${ADDRESS}`, '0.0.999999999999'];
  expect(() => parseAccountFilter(texts, HOME, () => expect.unreachable())).toThrow('Invalid entity ID');
});

test.each([
  [['gt:0x'], NO_MATCH],
  [['lt:0x', 'lt:4'], { kind: 'range', lower: -(2n ** 63n), upper: 3n, excluded: [] }],
  [['0x', '4'], { kind: 'set', ids: [4n] }],
  [['0x', 'gt:4'], NO_MATCH],
  [['ne:0x', 'gte:4'], { kind: 'range', lower: 4n, upper: 2n ** 63n - 1n, excluded: [] }],
])('%j, where no account has the address', async (texts, expected) => {
  const withAddress = texts.map((text) => text.replace('0x', `0x${ADDRESS}`));
  expect(await parseAccountFilter(withAddress, HOME, async () => null)).toEqual(expected);
});
