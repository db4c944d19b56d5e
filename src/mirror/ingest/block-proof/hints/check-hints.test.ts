import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  blockSignatureOf,
  realBlock,
} from '../../../../../test/kit/mirror/ingest/block-proof/real-blocks.ts';
import { describeShared } from '../../../../../test/support/shared-suites.ts';
import { bareHex } from '../../../../values/hex.ts';
import { FailedCheck } from '../failed-check.ts';
import { challengesOf, checkHints, hashToMessage } from './check-hints.ts';
import { parseHintsKey } from './hints-key.ts';
import { HINTS_KEY_BYTES, HINTS_SIGNATURE_BYTES } from './hints-lengths.ts';
import { parseHintsSignature } from './hints-signature.ts';

/** contracts/streams.md section 18.12 */
const KNOWN = [
  {
    set: 'blocks-0.78',
    weights: [8n, 4n, 3n],
    root: /^85d7117a94f09115.*7064e4148$/,
    r: 0x2bd4f23880bcdeb3890b65ce591ec7e6b1205c48799e0c3a6846d8af473ca82dn,
    message: 'a2d412cb661d813d1857c932aaa65a1b',
  },
  {
    set: 'blocks-0.73',
    weights: [8n, 3n, 2n],
    root: /^3de47629fe289fc7.*c2394849f$/,
    r: 0x62e2995eaff8b5c8751edf39130977522f4e75c9b94f70889934ae32ff023d62n,
    message: 'adf5ef74f1c341c76f5cdc32637a8f2b',
  },
] as const;

function realParts(set: 'blocks-0.73' | 'blocks-0.78', number: number) {
  const block = realBlock(set, number);
  const bytes = blockSignatureOf(block);
  return {
    root: block.root,
    key: parseHintsKey(bytes.subarray(0, HINTS_KEY_BYTES)),
    signature: parseHintsSignature(bytes.subarray(HINTS_KEY_BYTES, HINTS_KEY_BYTES + HINTS_SIGNATURE_BYTES)),
  };
}

function failureOf(check: () => void): string {
  try {
    check();
    return 'holds';
  } catch (error) {
    if (error instanceof FailedCheck) return error.failure;
    throw error;
  }
}

describeShared('the threshold signature of real blocks', () => {
  test.each(KNOWN)(
    'has the known intermediate values: $set block 0',
    ({ set, weights, root, r, message }) => {
      const { key, root: found, signature } = realParts(set, 0);
      expect(bareHex(found)).toMatch(root);
      expect([key.n, key.totalWeight, signature.claimedWeight]).toEqual(weights);
      expect(challengesOf(key, signature, 1).r).toBe(r);
      expect(bareHex(hashToMessage(found).point.toBytes(true).subarray(0, 16))).toBe(message);
    },
  );

  test.each([
    ['blocks-0.73', 0],
    ['blocks-0.73', 1],
    ['blocks-0.73', 2],
    ['blocks-0.78', 0],
  ] as const)('holds by the rules of generation 1 and not by those of 2: %s block %i', (set, number) => {
    const { key, root, signature } = realParts(set, number);
    expect(failureOf(() => checkHints(key, signature, root, 1, randomBytes))).toBe('holds');
    expect(failureOf(() => checkHints(key, signature, root, 2, randomBytes))).toBe('sum_identity');
  });
});
