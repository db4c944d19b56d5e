import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../values/hex.ts';
import { findFiles } from './find-files.ts';

const listed = (text: string, content?: string) => ({
  keccak256: toHex(keccak_256(Buffer.from(text))),
  urls: [],
  ...(content === undefined ? {} : { content }),
});

describe('findFiles', () => {
  test('goes by content, not by path or order', () => {
    const found = findFiles({
      listed: { 'a.sol': listed('a'), 'copy.sol': listed('a'), 'b.sol': listed('é') },
      files: ['é', 'other', 'a'],
    });
    expect(found).toEqual({
      contents: { 'a.sol': 'a', 'copy.sol': 'a', 'b.sol': 'é' },
      matched: [0, 2],
      varied: [],
      missing: [],
      invalid: [],
    });
  });

  test('tries other line ends of files that fit nothing', () => {
    const found = findFiles({
      listed: { 'a.sol': listed('a\nb\n\n'), 'b.sol': listed('x') },
      files: ['other', 'a\r\nb\r\n\r\n', 'x\n'],
    });
    expect(found).toMatchObject({
      contents: { 'a.sol': 'a\nb\n\n', 'b.sol': 'x' },
      matched: [1, 2],
      varied: ['a.sol', 'b.sol'],
    });
  });

  test('takes content from the metadata, and tells what is wrong or absent', () => {
    const found = findFiles({
      listed: {
        'in.sol': listed('in', 'in'),
        'wrong.sol': listed('right', 'wrong'),
        'gone.sol': listed('gone'),
      },
      files: [],
    });
    expect(found).toEqual({
      contents: { 'in.sol': 'in' },
      matched: [],
      varied: [],
      missing: ['gone.sol'],
      invalid: ['wrong.sol'],
    });
  });
});
