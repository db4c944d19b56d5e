import { describe, expect, test } from 'vitest';
import { gasConsumed } from './gas-consumed.ts';

const payload = Uint8Array.of(0, 1, 0, 255, 0);

describe('gasConsumed', () => {
  test.each([
    ['a call without call data', 1_000n, new Uint8Array(), false, 22_000n],
    ['a call', 1_000n, payload, false, 22_044n],
    ['a creation', 1_000n, payload, true, 54_044n],
    ['an action that used none', 0n, new Uint8Array(), false, 21_000n],
    ['more than a double holds', 2n ** 62n, payload, false, 2n ** 62n + 21_044n],
  ])('of %s', (_, actionGas, bytes, isCreation, consumed) => {
    expect(gasConsumed(actionGas, bytes, isCreation)).toBe(consumed);
  });

  test('is not known without an action', () => {
    expect(gasConsumed(null, payload, true)).toBeNull();
  });
});
