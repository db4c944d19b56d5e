import { describe, expect, test } from 'vitest';
import { readImmutableTail } from './vyper-output.ts';

/** The form of 0.3.4 to 0.3.9: operator → list of arguments. */
const objects = (size: number) => ({
  seq: [
    { if: [{ callvalue: [] }, { revert: [0, 0] }] },
    { seq: [{ iload: [32] }, { istore: [0, { calldataload: [0] }] }] },
    { deploy: [64, { seq: [{ if: [{ lt: ['calldatasize', 4] }, { goto: ['fallback'] }] }] }, size] },
  ],
});

const TEXT_DEPLOY = `[seq,
  /* def __init__(limits: uint256[3]) */ [istore, 0, [dload, 0]],
  # Line 7
  [deploy,
    320,
    [seq,
      [if, [lt, calldatasize, 4], [goto, fallback]] /* [deploy, 1, 2, 3] */,
      [return, 0, 32]],
    96]]`;

const TEXT_RETURN = `[seq,
  [mstore, 416, [mload, 320]],
  [return,
    352,
    [add, 64, _lllsz]]]`;

describe('readImmutableTail', () => {
  test.each([
    ['0.3.4+commit.f31f0ec4', objects(96), 96],
    ['0.3.7+commit.6020b8bb', objects(32), 32],
    ['0.3.3+commit.48e326f0', TEXT_DEPLOY, 96],
    ['0.3.1+commit.0463ea4c', TEXT_RETURN, 64],
  ])('finds the bytes of %s', (version, ir, bytes) => {
    expect(readImmutableTail(version, ir)).toBe(bytes);
  });

  test('finds them in newer versions when the code has no auxdata that tell them', () => {
    expect(readImmutableTail('0.3.10+commit.91361694', objects(96), false)).toBe(96);
    expect(readImmutableTail('0.4.3+commit.bff19ea2', objects(32), false)).toBe(32);
  });

  test.each([
    ['a contract without immutables', '0.3.7', objects(0)],
    ['a text without immutables', '0.3.1', '[seq, [return, 0, [lll, [seq, [stop]], 0]]]'],
    ['a size that is no whole number of words', '0.3.7', objects(33)],
    ['two sizes', '0.3.7', { seq: [objects(32), objects(64)] }],
    ['an IR that was not printed', '0.3.7', undefined],
    ['a version before there were immutables', '0.3.0', objects(32)],
    ['a version whose auxdata tell the size', '0.3.10', objects(32)],
    ['an unfinished text', '0.3.3', '[deploy, 0, [seq'],
  ])('finds none in %s', (_, version, ir) => {
    expect(readImmutableTail(version, ir)).toBeUndefined();
  });
});
