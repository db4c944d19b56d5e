import { describe, expect, test } from 'vitest';
import { createRecycling } from './compiler-pool.ts';

describe('a thread is ended after its task', () => {
  const limits = { threadBytes: 100, runs: 10, processBytes: 1000, processPauseMs: 60 };

  test.each([
    ['not while everything is within its limits', { runs: 9, memoryBytes: 100 }, false],
    ['when it has worked often enough', { runs: 10, memoryBytes: 0 }, true],
    ['when its compiler has taken too much', { runs: 1, memoryBytes: 101 }, true],
  ])('%s', (_title, thread, isEnded) => {
    const isOver = createRecycling(
      limits,
      () => 1000,
      () => 0,
    );
    expect(isOver(thread)).toBe(isEnded);
  });

  test('when the process has too much, but not again and again', () => {
    let now = 0;
    const isOver = createRecycling(
      limits,
      () => 1001,
      () => now,
    );
    const fresh = { runs: 1, memoryBytes: 1 };
    const ended = [0, 1, 59, 60, 61].map((time) => {
      now = time;
      return isOver(fresh);
    });
    expect(ended).toEqual([true, false, false, true, false]);
  });
});
