import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { startTestServer } from '../../../test/support/test-server.ts';
import { shareHeap } from './heap-room.ts';

const MIB = 1_048_576;
const limited = (mebibytes: number) => ({ heap_size_limit: (mebibytes + 48) * MIB });
const halfOf = (mebibytes: number) => shareHeap(0, limited(mebibytes)).parsedBodies;

test('the room is what the limit leaves beside what a server keeps, whatever is in use at the moment', () => {
  const before = shareHeap();
  const garbage = Array.from({ length: 200_000 }, (_, index) => ({ index }));
  expect(getHeapStatistics().used_heap_size).toBeGreaterThan(garbage.length);
  expect(shareHeap()).toEqual(before);
});

test.each([
  [1024, 512 * MIB],
  [64, 24 * MIB],
  [48, 8 * MIB],
  [32, 4 * MIB],
])('a limit of %i MiB leaves at least %i bytes', (mebibytes, least) => {
  expect(2 * halfOf(mebibytes)).toBeGreaterThanOrEqual(least);
  expect(2 * halfOf(mebibytes)).toBeLessThan((mebibytes - 20) * MIB);
});

test.each(['--max-semi-space-size=4', '--expose-gc --max_semi_space_size 3 --title=a'])(
  'a smaller space for young objects leaves no less: %s',
  (options) => {
    const limit = { heap_size_limit: (64 + 3 * 4) * MIB };
    expect(shareHeap(0, limit, options)).toEqual(shareHeap(0, limited(64), ''));
  },
);

test('what operators configured takes its part of every share', async () => {
  expect(shareHeap(10 * MIB, limited(64))).toEqual(shareHeap(0, limited(54)));
  const chains = `{"1":{"name":"one","rpc":["http://chain.test"]}}${' '.repeat(MIB)}`;
  const { close, services } = await startTestServer({ env: { VERIFY_CHAINS: chains }, background: false });
  await close();
  expect(services.heap).toEqual(shareHeap(2 * chains.length));
});
