import { getHeapStatistics } from 'node:v8';

/** `heap_size_limit` includes the young generation, in which nothing can stay. V8's default on 64 bits. */
const YOUNG_BYTES = 50_331_648;
/** What a server keeps: 31.2 MiB when it has just started, and some for what it loads with its first requests. */
const OWN_BYTES = 37_748_736;
/** With less a server could do nothing at all. */
const MIN_ROOM_BYTES = 4_194_304;

/**
 * Heap of this thread that requests and jobs may fill: what its limit (`--max-old-space-size`) leaves beside what the
 * server keeps. What is in use at the moment does not count: much of it is garbage, most of all during a start.
 *
 * @param configuredBytes that are kept because operators configured them.
 * @returns bytes.
 * @see docs/adr/0010-admission-and-limits.md
 */
export function heapRoomBytes(
  configuredBytes = 0,
  { heap_size_limit: limit }: { readonly heap_size_limit: number } = getHeapStatistics(),
): number {
  return Math.max(MIN_ROOM_BYTES, limit - YOUNG_BYTES - OWN_BYTES - configuredBytes);
}
