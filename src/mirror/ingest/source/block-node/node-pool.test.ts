import { describe, expect, test } from 'vitest';
import { manualTime } from '../../../../../test/kit/mirror/ingest/manual-time.ts';
import { type BlockNode, BlockNodeError, type NodeStatus } from './block-node-connection.ts';
import { NodePool } from './node-pool.ts';

const BOAST = 10n ** 12n;
const SIGNAL = new AbortController().signal;

/** A pool of nodes that are named by numbers and say what they have last; an entry may change. */
async function poolOf(...says: (bigint | NodeStatus)[]) {
  const nodes = says.map((_, at): BlockNode => {
    const place = { host: 'node', port: at, isTls: false };
    return { name: `${at}`, stream: place, status: place };
  });
  let listed: readonly BlockNode[] = nodes;
  const time = manualTime(1_000_000);
  const pool = new NodePool(
    async () => listed,
    ({ name }) => ({
      async serverStatus() {
        const last = says[Number(name)] ?? 'unknown';
        return typeof last === 'bigint' ? { first: 0n, last } : last;
      },
      subscribe: () => (async function* () {})(),
      close() {},
    }),
    { ...time, random: () => 0.5 },
  );
  const ask = async (...names: readonly string[]) => {
    if (names.length > 0) listed = nodes.filter(({ name }) => names.includes(name));
    (await pool.any(SIGNAL))?.connection.close();
  };
  const fail = (name: string) => {
    time.clock.advance(1);
    pool.failed(name, new BlockNodeError('unreachable', 'broke'));
  };
  await ask();
  return { ask, fail, nodes, pool, says };
}

describe('how far the network is by its nodes', () => {
  test.each<[string, (bigint | NodeStatus)[], number | null, bigint | null]>([
    ['the most of three, one of which boasts', [BOAST, 12n, 13n], 0, 13n],
    ['the most of four', [BOAST, 5n, 12n, 13n], 0, 12n],
    ['of two the one that is followed, which is ahead', [1_000_000n, 10n], 0, 1_000_000n],
    ['of two the one that is followed, though the other boasts', [BOAST, 10n], 1, 10n],
    ['nothing while the one that is followed does not tell and another boasts', ['unknown', BOAST], 0, null],
    ['the lower of two while none is followed', [BOAST, 10n], null, 10n],
    ['nothing of nodes that do not tell', ['unknown', 'empty'], 0, null],
  ])('is %s', async (_what, says, followed, newest) => {
    const { nodes, pool } = await poolOf(...says);
    expect(pool.newest(followed === null ? null : (nodes[followed] ?? null))).toBe(newest);
  });

  test('counts the word of a node that failed since only while no other one tells anything', async () => {
    const { ask, fail, pool } = await poolOf(BOAST, 12n, 13n, 14n);
    fail('0');
    expect(pool.newest(null)).toBe(13n);
    for (const name of ['1', '2', '3']) fail(name);
    expect(pool.newest(null)).toBe(13n);
    await ask();
    expect(pool.newest(null)).toBe(13n);
  });

  test('keeps the word of the one that is followed after it failed', async () => {
    const { fail, nodes, pool } = await poolOf(1_000_000n, 10n);
    fail('0');
    expect(pool.newest(nodes[0] ?? null)).toBe(1_000_000n);
    expect(pool.highest).toBe(1_000_000n);
  });

  test('counts and blames no node that is not found any more', async () => {
    const { ask, fail, pool, says } = await poolOf(10n, 10n, 10n, 900n);
    fail('0');
    expect(pool.notes()).toEqual(['block node 0 broke']);
    says[3] = 1000n;
    await ask('3');
    expect(pool.newest(null)).toBe(1000n);
    expect(pool.highest).toBe(1000n);
    expect(pool.notes()).toEqual([]);
  });
});

test('any node is one without a failure, the first of them, or else the one whose last is longest past', async () => {
  const { fail, pool } = await poolOf(10n, 'unknown', 'empty', 12n);
  const any = async () => (await pool.any(SIGNAL))?.node.name;
  expect(await any()).toBe('0');
  fail('0');
  expect(await any()).toBe('2');
  fail('2');
  expect(await any()).toBe('3');
  fail('3');
  expect(await any()).toBe('0');
  fail('0');
  expect(await any()).toBe('2');
});
