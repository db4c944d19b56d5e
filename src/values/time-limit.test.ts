import { getEventListeners } from 'node:events';
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
    const reason = reasonOf(timeLimit(50, new AbortController().signal).signal);
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
    const { signal } = timeLimit(60_000, given.signal);
    given.abort('enough');
    expect([signal.aborted, signal.reason]).toEqual([true, 'enough']);
  });

  test('leaves nothing in a signal that lives on when the work is done', () => {
    const long = new AbortController();
    const { end, signal } = timeLimit(60_000, long.signal, undefined);
    expect(getEventListeners(long.signal, 'abort')).toHaveLength(1);
    end();
    expect([getEventListeners(long.signal, 'abort').length, signal.aborted]).toEqual([0, true]);
  });
});
