import { describe, expect, test } from 'vitest';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import { sha384 } from '../sha384.ts';
import { type BlockLinks, joinChain } from './chain-links.ts';

const hash = (text: string) => sha384(Buffer.from(text));
const [RECORD, ROOT, OTHER] = [hash('record'), hash('root'), hash('other')];

const end = (members: Partial<ChainEnd>): ChainEnd => ({
  kind: 'block',
  isNative: false,
  version: 6,
  blockNumber: 8n,
  hash: RECORD,
  root: ROOT,
  tree: null,
  ...members,
});
const ENDS = {
  'a record file': end({ kind: 'record', root: null }),
  'a wrapped block': end({}),
  'a native block': end({ isNative: true, version: 7, hash: ROOT }),
};
const following = (previousRoot: Uint8Array, recordPreviousHash: Uint8Array | null): BlockLinks => ({
  number: 9n,
  begin: 9n,
  footer: { previousRoot, allBlocksRoot: OTHER },
  recordPreviousHash,
  path: '9.blk',
});
const join = (block: BlockLinks, of: keyof typeof ENDS) => joinChain(block, { previous: ENDS[of] });

/** @see contracts/streams.md sections 9.5 and 16.3 */
describe('a block that follows', () => {
  test.each([
    ['wrapped', 'a record file', following(OTHER, RECORD)],
    ['wrapped', 'a wrapped block', following(ROOT, RECORD)],
    ['wrapped anew', 'a wrapped block', following(OTHER, RECORD)],
    ['native', 'a record file', following(OTHER, null)],
    ['native', 'a wrapped block', following(ROOT, null)],
    ['native, of blocks wrapped anew,', 'a wrapped block', following(OTHER, null)],
    ['native', 'a native block', following(ROOT, null)],
  ] as const)('%s, behind %s, joins', async (_form, previous, block) => {
    expect(await join(block, previous)).toEqual({ previousHash: ENDS[previous].hash, tree: null });
  });

  test.each([
    ['wrapped, of another record file,', 'a record file', following(ROOT, OTHER)],
    ['wrapped, of another record file,', 'a wrapped block', following(ROOT, OTHER)],
    ['native, of another root,', 'a native block', following(OTHER, null)],
    ['wrapped', 'a native block', following(ROOT, ROOT)],
  ] as const)('%s behind %s does not', async (_form, previous, block) => {
    await expect(join(block, previous)).rejects.toMatchObject({ code: 'chain_mismatch' });
  });
});
