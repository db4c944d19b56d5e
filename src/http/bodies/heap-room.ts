import { getHeapStatistics } from 'node:v8';

/** `heap_size_limit` includes the young generation, in which nothing can stay. V8's default on 64 bits. */
const YOUNG_BYTES = 50_331_648;
/** With less a server could do nothing at all. */
const MIN_ROOM_BYTES = 4_194_304;

/**
 * Heap of this thread that requests and jobs may fill: what its limit (`--max-old-space-size`) leaves beside what is in
 * use now. Read once, when a server is assembled.
 *
 * @returns bytes.
 * @see docs/adr/0010-admission-and-limits.md
 */
export function heapRoomBytes(
  { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics(),
): number {
  return Math.max(MIN_ROOM_BYTES, limit - YOUNG_BYTES - used);
}
