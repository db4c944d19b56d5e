import { describe, expect, test } from 'vitest';
import * as fc from '../../../../../test/support/properties.ts';
import { networkFolders } from '../stream-files.ts';
import { blockKey, parseBlockKey } from './block-bucket.ts';

describe('keys of blocks', () => {
  test('are nineteen digits, cut four times by four and once by three', () => {
    expect(blockKey('', 0n, 'blk.zstd')).toBe('0000/0000/0000/0000/000.blk.zstd');
    expect(blockKey('testnet-202602010000/block/', 1_234_567n, 'blk.zstd')).toBe(
      'testnet-202602010000/block/0000/0000/0000/1234/567.blk.zstd',
    );
    expect(blockKey('blocks/', 2n ** 63n - 1n, 'blk')).toBe('blocks/9223/3720/3685/4775/807.blk');
  });

  test('tell the number that they were made of, and sort like it', () => {
    const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(number, number, (left, right) => {
        const [one, other] = [blockKey('b/', left, 'blk.gz'), blockKey('b/', right, 'blk.gz')];
        expect(parseBlockKey('b/', one)).toEqual({ number: left, extension: 'blk.gz' });
        expect(one < other).toBe(left < right);
      }),
    );
  });

  test.each([
    'b/0000/0000/0000/0000/000.txt',
    'b/0000/0000/0000/000.blk',
    'b/0000/0000/0000/00a0/000.blk',
    'b/',
  ])('%s is not one', (key) => {
    expect(parseBlockKey('b/', key)).toBeNull();
  });
});

describe('folders of networks', () => {
  test('are in the order of their begin, whichever way it is written', () => {
    const names = [
      'testnet-202602010000',
      'testnet-2026-03-01T00:00:00Z',
      'testnet-202601312359',
      'testnet-20260228T235959Z',
      'testnet',
    ];
    expect(networkFolders(names).map(({ folder }) => folder)).toEqual([
      'testnet-2026-03-01T00:00:00Z/',
      'testnet-20260228T235959Z/',
      'testnet-202602010000/',
      'testnet-202601312359/',
      'testnet/',
    ]);
  });

  test('are not files, numbers or accounts', () => {
    expect(networkFolders(['0000', '_marker', 'block 1', 'testnet-2026', 'record0.0.3'])).toEqual([]);
  });
});
