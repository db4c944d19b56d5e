import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { heapRoomBytes } from './heap-room.ts';

const MIB = 1_048_576;
const limited = (mebibytes: number) => ({ heap_size_limit: (mebibytes + 48) * MIB });

test('the room is what the limit leaves beside what a server keeps, whatever is in use at the moment', () => {
  const before = heapRoomBytes();
  const garbage = Array.from({ length: 200_000 }, (_, index) => ({ index }));
  expect(getHeapStatistics().used_heap_size).toBeGreaterThan(garbage.length);
  expect(heapRoomBytes()).toBe(before);
});

test.each([
  [1024, 512 * MIB],
  [64, 24 * MIB],
  [48, 8 * MIB],
  [32, 4 * MIB],
])('a limit of %i MiB leaves at least %i bytes', (mebibytes, least) => {
  expect(heapRoomBytes(0, limited(mebibytes))).toBeGreaterThanOrEqual(least);
  expect(heapRoomBytes(0, limited(mebibytes))).toBeLessThan((mebibytes - 20) * MIB);
});

test('what operators configured takes its part', () => {
  expect(heapRoomBytes(10 * MIB, limited(64))).toBe(heapRoomBytes(0, limited(54)));
});
