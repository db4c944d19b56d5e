import { expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { groupBlocks, readRange } from './block-ranges.ts';
import type { Peer, PeerBlock } from './peer.ts';

const block = (number: bigint, from: bigint, to: bigint, count: number) =>
  ({
    number,
    name: `${number}`,
    from: consensusTimestamp(from),
    to: consensusTimestamp(to),
    count,
  }) as PeerBlock;

/** No more is kept in memory than one block may have, before anything is asked. */
test.each([
  ['a block', [block(1n, 10n, 20n, 500_001)], 'more than a block can have'],
  ['blocks that overlap', [block(1n, 10n, 40n, 300_000), block(2n, 20n, 50n, 300_000)], 'read at once'],
])('%s of too many transactions is refused', async (_what, blocks, message) => {
  const paths: string[] = [];
  const peer = {
    get: async (path) => {
      paths.push(path);
      return null;
    },
  } as Pick<Peer, 'get'> as Peer;
  const [range] = groupBlocks({ blocks, next: [] }, null);
  if (range === undefined) expect.fail('there is a range');
  expect(range.isTangled).toBe(blocks.length > 1);
  const parts = { peer, home: { shard: 0n, realm: 0n }, takenOf: async () => new Set<bigint>() };
  await expect(readRange(range, parts, new AbortController().signal)).rejects.toMatchObject({
    code: 'inconsistent_source',
    message: expect.stringContaining(message),
  });
  expect(paths).toEqual([]);
});
