import { encode } from 'cborg';
import { describe, expect, test } from 'vitest';
import { parseHex } from '../../../values/hex.ts';
import { isAuxdataOf } from './auxdata-form.ts';

const solc = { language: 'Solidity', version: '0.8.30+commit.73712a01' } as const;
const vyper = (version: string) => ({ language: 'Vyper', version }) as const;

function withLength(value: unknown, counted = 0): Uint8Array {
  const cbor = encode(value);
  return Uint8Array.from([...cbor, 0, cbor.length + counted]);
}

const ipfs = Uint8Array.from([0x12, 0x20, ...new Uint8Array(32).fill(7)]);
const release = Uint8Array.from([0, 8, 30]);

describe('the form of metadata', () => {
  test.each([
    ['a hash and a release', { ipfs, solc: release }],
    ['no hash', { solc: release }],
    ['swarm', { bzzr0: new Uint8Array(32) }],
    ['a nightly build', { bzzr1: ipfs.slice(2), solc: '0.5.10-nightly.2019.5.28+commit.cc26b7b0' }],
    ['an experiment', { experimental: true, ipfs, solc: release }],
  ])('of Solidity is taken with %s', (_, value) => {
    expect(isAuxdataOf(solc, withLength(value))).toBe(true);
  });

  test.each([
    ['a byte string that may be code', new Uint8Array(51)],
    ['another member', { ipfs, code: release }],
    ['a hash of another length', { ipfs: new Uint8Array(35), solc: release }],
    ['a longer release', { ipfs: ipfs, solc: new Uint8Array(4) }],
    ['a text of the author', { ipfs, solc: '[[[[[[' }],
    ['nothing', {}],
  ])('of Solidity is refused with %s', (_, value) => {
    expect(isAuxdataOf(solc, withLength(value))).toBe(false);
  });

  test('of Solidity is refused with another length or another encoding', () => {
    const bytes = withLength({ ipfs, solc: release });
    expect(isAuxdataOf(solc, bytes.with(-1, 0))).toBe(false);
    const wide = [0xb8, 0x01, ...encode('solc'), 0x58, 0x03, ...release];
    expect(isAuxdataOf(solc, Uint8Array.from([...wide, 0, wide.length]))).toBe(false);
  });

  test.each([
    ['0.3.4', 'a165767970657283000304'],
    ['0.4.0', '84188f8000a1657679706572830004000012'],
    [
      '0.4.1',
      '85582005b754c58b2e540a14aba6f16717ab2c30edc74936c8985d77b152cd97887e07188f8000a1657679706572830004010034',
    ],
  ])('of Vyper %s is that of its version', (version, text) => {
    const bytes = parseHex(text) ?? new Uint8Array();
    expect(isAuxdataOf(vyper(version), bytes)).toBe(true);
    expect(isAuxdataOf(vyper(version === '0.3.4' ? '0.4.0' : '0.3.4'), bytes)).toBe(false);
    expect(isAuxdataOf(solc, bytes)).toBe(false);
  });

  test.each([
    [[0], true],
    [[], false],
    [[0, 4, 0, 1], false],
    [['0'], false],
  ])('of Vyper with the version %j is taken: %s', (parts, isTaken) => {
    expect(isAuxdataOf(vyper('0.4.0'), withLength([143, [], 0, { vyper: parts }], 2))).toBe(isTaken);
  });
});
