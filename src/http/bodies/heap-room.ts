import { getHeapStatistics } from 'node:v8';

const MIB = 1_048_576;
/** `heap_size_limit` includes the young generation, in which nothing can stay: three times this. V8's default on 64 bits. */
const SEMI_SPACE_MIB = 16;
/** What a server keeps: 31.2 MiB when it has just started, and some for what it loads with its first requests. */
const OWN_BYTES = 37_748_736;
/** With less a server could do nothing at all. */
const MIN_ROOM_BYTES = 4_194_304;

/** Larger shares would serve no more clients. */
const [MAX_LOOK_UP_BYTES, MAX_OTHER_BYTES] = [134_217_728, 67_108_864];

/** Bytes of the heap that each kind of work may fill. */
export type HeapShares = ReturnType<typeof sharesOf>;

/**
 * Divides the heap of this thread that requests and jobs may fill: what its limit (`--max-old-space-size`) leaves beside
 * what the server keeps. What is in use at the moment does not count: much of it is garbage, most of all during a start.
 *
 * @param configuredBytes that are kept because operators configured them.
 * @param options of Node, which may limit the young generation (`--max-semi-space-size`)
 * @see docs/adr/0010-admission-and-limits.md
 */
export function shareHeap(
  configuredBytes = 0,
  { heap_size_limit: limit }: { readonly heap_size_limit: number } = getHeapStatistics(),
  options = [process.env['NODE_OPTIONS'] ?? '', ...process.execArgv].join(' '),
): HeapShares {
  const given = [...options.matchAll(/--max[-_]semi[-_]space[-_]size[= ](\d+)/g)].at(-1)?.[1];
  // V8 takes the next power of two, and 0 for its default.
  const semiSpace = 2 ** Math.ceil(Math.log2(Number(given) || SEMI_SPACE_MIB));
  const youngBytes = 3 * semiSpace * MIB;
  return sharesOf(Math.max(MIN_ROOM_BYTES, limit - youngBytes - OWN_BYTES - configuredBytes));
}

/** @param room bytes. */
export function sharesOf(room: number) {
  return {
    parsedBodies: room / 2,
    /** Sources may become five times as much code, in hex. */
    largestSubmission: Math.floor(room / 8),
    recentSubmissions: Math.min(MAX_OTHER_BYTES, room / 8),
    runningJobs: room / 4,
    lookUps: Math.min(MAX_LOOK_UP_BYTES, room / 2),
    unsentAnswers: Math.min(MAX_OTHER_BYTES, room / 4),
    /** Requests that wait for their turn, and as much behind others of their connections. */
    waitingRequests: Math.min(MAX_OTHER_BYTES, room / 8),
  } as const;
}
