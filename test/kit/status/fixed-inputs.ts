import type { RandomBytes } from '../../../src/status/rules/object-id.ts';

/** When the clocks of tests stand still unless told otherwise. */
export const START = Date.parse('2026-03-02T09:00:00.000Z');

/** Bytes that make the same distinct ids in every run. */
export function countingBytes(seed = 1): RandomBytes {
  let state = seed >>> 0;
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      // A linear congruential generator (Numerical Recipes); its upper bits are the good ones.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
}
