import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { BodyBudget } from '../bodies/body-budget.ts';
import { BodyIntake } from '../bodies/body-intake.ts';
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
  const bodies = new BodyIntake(new BodyBudget(1000), slow);
  return { bodies, pass, isWatching: () => ticks.size > 0 };
}

describe('faultOfJson', () => {
  test.each([
    ['{"a":1}', null],
    ['', null],
    ['{"a":', 'Unexpected end of JSON input'],
  ])('reads %j to its end', async (text, fault) => {
    const { bodies } = byHand();
    const body = new PassThrough().end(text) as PassThrough;
    expect(await faultOfJson(body, {}, bodies)).toBe(fault);
  });

  test('waits no longer than for other bodies, and lets the rest pass (issue 12)', async () => {
    const { bodies, pass, isWatching } = byHand();
    const body = new PassThrough();
    body.write('{"a":');
    const found = faultOfJson(body, {}, bodies);
    pass(11);
    expect(await found).toBeNull();
    body.end('1}');
    await once(body, 'end');
    pass(1);
    expect(isWatching()).toBe(false);
  });

  test('does not wait for a body that comes a byte at a time', async () => {
    const { bodies, pass } = byHand();
    const body = new PassThrough();
    const found = faultOfJson(body, {}, bodies);
    for (let second = 0; second < 22; second += 1) {
      body.write(' ');
      await new Promise(setImmediate);
      pass(1);
    }
    expect(await found).toBeNull();
  });

  test('passes what has no room, and leaves room for others', async () => {
    const { bodies } = byHand();
    const body = new PassThrough();
    const first = faultOfJson(body, { 'content-length': '900' }, bodies);
    const other = () => faultOfJson(new PassThrough().end(`{${' '.repeat(200)}`), {}, bodies);
    expect(await other()).toBeNull();
    body.end('{"a":');
    expect(await first).not.toBeNull();
    expect(await other()).not.toBeNull();
    expect(bodies.budget.takenBytes).toBe(0);
  });
});
