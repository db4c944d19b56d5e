import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { SlowBodies } from '../bodies/slow-bodies.ts';
import { faultOfJson } from './unread-json.ts';

/** Seconds pass when the test says so. */
function byHand() {
  const ticks = new Set<() => void>();
  const slow = new SlowBodies(undefined, (tick) => {
    ticks.add(tick);
    return () => ticks.delete(tick);
  });
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) for (const tick of [...ticks]) tick();
  };
  return { slow, pass, isWatching: () => ticks.size > 0 };
}

describe('faultOfJson', () => {
  test.each([
    ['{"a":1}', null],
    ['', null],
    ['{"a":', 'Unexpected end of JSON input'],
  ])('reads %j to its end', async (text, fault) => {
    const { slow } = byHand();
    const body = new PassThrough().end(text) as PassThrough;
    expect(await faultOfJson(body, slow)).toBe(fault);
  });

  test('waits no longer than for other bodies, and leaves the rest to be read (issue 12)', async () => {
    const { slow, pass, isWatching } = byHand();
    const body = new PassThrough();
    body.write('{"a":');
    const found = faultOfJson(body, slow);
    pass(11);
    expect(await found).toBeNull();
    expect(body.destroyed).toBe(false);
    pass(1);
    expect(isWatching()).toBe(false);
  });

  test('does not wait for a body that comes a byte at a time', async () => {
    const { slow, pass } = byHand();
    const body = new PassThrough();
    const found = faultOfJson(body, slow);
    for (let second = 0; second < 22; second += 1) {
      body.write(' ');
      await new Promise(setImmediate);
      pass(1);
    }
    expect(await found).toBeNull();
  });
});
