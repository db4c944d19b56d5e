import { describe, expect, test } from 'vitest';
import { afterBadBlock, afterFailure, askedFrom, FRESH, type NodeStanding } from './node-pool.ts';

const NOW = 1_800_000_000_000;
const TROUBLE = { fault: 'unreachable', text: 'cannot be reached' } as const;
/** Jitter in the middle changes nothing. */
const MIDDLE = 0.5;

function afterFailures(count: number): NodeStanding {
  let standing = FRESH;
  for (let each = 0; each < count; each++) standing = afterFailure(standing, TROUBLE, NOW, MIDDLE);
  return standing;
}
const waits = (standing: NodeStanding) => [askedFrom(standing, false) - NOW, askedFrom(standing, true) - NOW];

describe('the standing of a node', () => {
  test('a fresh node is asked at once', () => {
    expect(askedFrom(FRESH, false)).toBe(0);
  });

  test.each([
    [1, [500, 500]],
    [2, [1000, 1000]],
    // The third in a row sets it aside for a minute, unless no other node has the block.
    [3, [60_000, 2000]],
    [5, [60_000, 8000]],
    [8, [60_000, 8000]],
    [100, [60_000, 8000]],
  ])('after %i failures it is left in peace for %j ms', (count, expected) => {
    expect(waits(afterFailures(count))).toEqual(expected);
  });

  test('delays differ by a fifth at most, so that servers do not come all at once', () => {
    const delay = (jitter: number) => afterFailure(FRESH, TROUBLE, NOW, jitter).delayMs;
    expect([delay(0), delay(1)]).toEqual([400, 600]);
  });

  test('a bad block sets it aside for ten minutes, which a later failure does not shorten', () => {
    const bad = afterBadBlock(FRESH, { fault: 'protocol', text: 'sent a bad block' }, NOW, MIDDLE);
    expect(waits(bad)).toEqual([600_000, 500]);
    expect(waits(afterFailure(bad, TROUBLE, NOW, MIDDLE))).toEqual([600_000, 1000]);
  });
});
