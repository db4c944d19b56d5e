import { afterEach, describe, expect, test } from 'vitest';
import { aBlock, messagesOf } from '../../../../../test/kit/mirror/ingest/block-node.ts';
import { manualTime } from '../../../../../test/kit/mirror/ingest/manual-time.ts';
import { type BlockNode, BlockNodeError } from './block-node-connection.ts';
import { BlockNodeFeed } from './block-node-feed.ts';
import { type BlockRange, readStreamMessage } from './grpc-connection.ts';
import { NodePool } from './node-pool.ts';

const LIMITS = { items: 100, bytes: 1_000_000 };
const FIRST = 7n;
const MINUTE_MS = 60_000;
const place = { host: 'node', port: 1, isTls: false };
const NODES: readonly BlockNode[] = ['silent', 'well'].map((name) => ({
  name,
  stream: place,
  status: place,
}));

const open: BlockNodeFeed[] = [];
afterEach(async () => {
  for (const feed of open.splice(0)) await feed.close();
});

/** Two nodes that say which block they have last; `undefined` is down. The one listed first never sends anything. */
function fed(last: { silent: bigint; well: bigint | undefined }) {
  const time = { ...manualTime(1_000_000), random: () => 0.5 };
  const asked: string[] = [];
  const silence = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  async function* blocksOf(name: string, { start }: BlockRange, signal: AbortSignal) {
    asked.push(name);
    if (name === 'well') {
      for (let number = start; number <= (last.well ?? 0n); number++) {
        yield* messagesOf(number, aBlock(number), {}).map(readStreamMessage);
      }
    }
    await silence(signal);
  }
  const pool = new NodePool(
    async () => NODES,
    ({ name }) => ({
      async serverStatus() {
        const has = name === 'well' ? last.well : last.silent;
        if (has === undefined) throw new BlockNodeError('unreachable', 'is down');
        return { first: 0n, last: has };
      },
      subscribe: (range, signal) => blocksOf(name, range, signal),
      close() {},
    }),
    time,
  );
  const feed = new BlockNodeFeed({ pool, limits: LIMITS, time });
  open.push(feed);
  let taken = FIRST - 1n;
  /** Lets minutes pass, and tells the last block that came until then. */
  const lastAfter = async (minutes: number) => {
    const until = time.clock.now() + minutes * MINUTE_MS;
    while (time.clock.now() < until) {
      await time.pass(5_000);
      for (let block = feed.take(); block !== null; block = feed.take()) taken = block.number;
    }
    return taken;
  };
  const fail = (name: string) => pool.failed(name, new BlockNodeError('unreachable', 'restarted'));
  const begin = async () => {
    feed.seek(FIRST);
    await time.pass(0);
  };
  return { lastAfter, asked, begin, fail };
}

describe('a node that failed is turned to again', () => {
  test('when it has what the one that is followed has not', async () => {
    const last = { silent: 6n, well: 6n };
    const { lastAfter, begin, fail } = fed(last);
    fail('well');
    await begin();
    last.well = 20n;
    expect(await lastAfter(3)).toBe(20n);
  });

  test('when the other one failed as well and sends nothing of what it claims', async () => {
    const { lastAfter, begin, fail } = fed({ silent: 20n, well: 20n });
    for (const { name } of NODES) fail(name);
    await begin();
    expect(await lastAfter(3)).toBe(20n);
  });

  test('within a quarter of an hour after it was down for hours', async () => {
    const last: { silent: bigint; well: bigint | undefined } = { silent: 6n, well: undefined };
    const { lastAfter, begin } = fed(last);
    await begin();
    await lastAfter(180);
    last.well = 20n;
    expect(await lastAfter(15)).toBe(20n);
  });
});

test('a node that claims a block and sends nothing is turned to ever less often, and costs no other one', async () => {
  const { lastAfter, asked, begin } = fed({ silent: 10n ** 12n, well: 9n });
  await begin();
  expect(await lastAfter(2)).toBe(9n);
  const before = asked.length;
  await lastAfter(60);
  const turns = asked.slice(before).filter((name) => name === 'silent').length;
  expect(turns).toBeGreaterThan(1);
  expect(turns).toBeLessThan(10);
});
