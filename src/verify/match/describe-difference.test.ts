import { describe, expect, test } from 'vitest';
import { type DifferingSides, describeDifference } from './describe-difference.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const L = '11'.repeat(20);
const sides = (
  recompiled: string,
  onchain: string,
  places: Partial<DifferingSides> = {},
): DifferingSides => ({
  recompiled: bytes(recompiled),
  onchain: bytes(onchain),
  linkReferences: {},
  immutableReferences: {},
  auxdata: {},
  hasCallProtection: false,
  ...places,
});

describe('describeDifference', () => {
  test.each<[string, DifferingSides, object | null]>([
    ['equal codes', sides('6001', '6001'), null],
    ['other code', sides('6001 00', '6002 00'), { offset: 1, region: 'code' }],
    ['a longer code', sides('6001', '6001 00'), { offset: 2, region: 'length' }],
    ['a shorter code', sides('6001 00', '6001'), { offset: 2, region: 'length' }],
    [
      'a difference behind an immutable that may differ',
      sides('60 0000 01', '60 abcd 02', { immutableReferences: { '7': [{ start: 1, length: 2 }] } }),
      { offset: 3, region: 'code' },
    ],
    [
      'two values of one immutable',
      sides('60 00 60 00 01', '60 ab 60 cd 02', {
        immutableReferences: {
          '7': [
            { start: 1, length: 1 },
            { start: 3, length: 1 },
          ],
        },
      }),
      { offset: 3, region: 'immutable' },
    ],
    [
      'code before two values of one immutable',
      sides('60 00 60 00', '60 ab 61 cd', {
        immutableReferences: {
          '7': [
            { start: 1, length: 1 },
            { start: 3, length: 1 },
          ],
        },
      }),
      { offset: 2, region: 'code' },
    ],
    [
      'two addresses of one library',
      sides(`73 ${'00'.repeat(20)} 73 ${'00'.repeat(20)}`, `73 ${L} 73 ${'22'.repeat(20)}`, {
        linkReferences: {
          'a.sol': {
            L: [
              { start: 1, length: 20 },
              { start: 22, length: 20 },
            ],
          },
        },
      }),
      { offset: 22, region: 'library' },
    ],
    [
      'nothing but auxdata',
      sides('60 a1b2', '60 a1b3', { auxdata: { '1': { value: '0xa1b2', offset: 1 } } }),
      { offset: 2, region: 'auxdata' },
    ],
    [
      'the address of a deployed library',
      sides(`73 ${'00'.repeat(20)} 01`, `73 ${L} 02`, { hasCallProtection: true }),
      { offset: 21, region: 'code' },
    ],
  ])('finds %s', (_, given, expected) => {
    const lengths = { recompiledLength: given.recompiled.length, onchainLength: given.onchain.length };
    expect(describeDifference(given)).toEqual(expected === null ? null : { ...expected, ...lengths });
  });
});
