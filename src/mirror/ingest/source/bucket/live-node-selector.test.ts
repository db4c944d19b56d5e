import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../values/clock.ts';
import { consensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import { createLiveLooks } from './live-node-selector.ts';
import type { NodePlace } from './record-folders.ts';

const PLACES: readonly NodePlace[] = ['a', 'b', 'c'].map((id) => ({
  id,
  node: { kind: 'account', account: 3n },
  nodeId: null,
  prefixes: [`${id}/`],
}));
const [A, B, C] = PLACES as readonly [NodePlace, NodePlace, NodePlace];
const at = (time: number) => consensusTimestamp(BigInt(time));

/** Has walked over all nodes, of which b was the first. */
function looking() {
  const clock = new ManualClock(0);
  const looks = createLiveLooks(clock);
  expect(looks.choose(null, PLACES)).toBeNull();
  looks.told(A, at(1));
  looks.told(B, at(2));
  looks.told(C, at(2));
  return { clock, looks, look: (time: number) => looks.choose(at(time), PLACES)?.id ?? 'all' };
}

describe('a live look', () => {
  test('lists the node that was first lately, as long as it gives what is taken', () => {
    const { look, looks } = looking();
    for (let time = 2; time < 9; time++) {
      expect(look(time)).toBe('b');
      looks.told(B, at(time + 1));
    }
  });

  test('lists all nodes first, and when the node is not of the book any more', () => {
    const { looks } = looking();
    expect(looks.choose(at(2), [A, C])).toBeNull();
    expect(createLiveLooks(new ManualClock(0)).choose(at(2), PLACES)).toBeNull();
  });

  test('lists the next node when the one has failed', () => {
    const { look, looks } = looking();
    expect(look(2)).toBe('b');
    looks.failed();
    expect(look(2)).toBe('c');
    expect(look(3)).toBe('c');
  });

  test('lists the others in turn after some looks without anything new', () => {
    const { look } = looking();
    const looks = Array.from({ length: 12 }, () => look(2));
    // All of them once when each was asked.
    expect(looks).toEqual(['b', 'b', 'b', 'c', 'a', 'b', 'all', 'c', 'a', 'b', 'c', 'a']);
  });

  test('lists the next node when what was given was not taken', () => {
    const { look, looks } = looking();
    expect(look(2)).toBe('b');
    looks.told(B, at(4));
    expect(look(2)).toBe('c');
  });

  test('lists all nodes once ten seconds passed without progress, and no more often', () => {
    const { clock, look, looks } = looking();
    look(2);
    clock.advance(9_999);
    expect(look(2)).not.toBe('all');
    clock.advance(1);
    expect([look(2), look(2)].map((each) => each === 'all')).toEqual([true, false]);
    clock.advance(9_999);
    expect(look(2)).not.toBe('all');
    clock.advance(1);
    expect(look(2)).toBe('all');
    looks.told(C, at(5));
    expect(look(5)).toBe('c');
  });
});
