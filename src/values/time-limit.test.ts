import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { timeLimit } from './time-limit.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Why a signal is aborted. */
const reasonOf = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

describe('a time limit', () => {
  test('joined with a signal ends although its memory is collected meanwhile', async () => {
    const reason = reasonOf(timeLimit(50, new AbortController().signal));
    // Nothing refers to the signal any more, once this task is over.
    const collecting = setInterval(collect, 5);
    try {
      expect(await reason).toMatchObject({ name: 'TimeoutError' });
    } finally {
      clearInterval(collecting);
    }
  });

  test('ends before its time with another signal', async () => {
    const given = new AbortController();
    const limit = timeLimit(60_000, given.signal);
    given.abort('enough');
    expect([limit.aborted, limit.reason]).toEqual([true, 'enough']);
  });
});
