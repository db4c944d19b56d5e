import { describe, expect, test } from 'vitest';
import { DatabaseClock } from './database-clock.ts';

const START = 1_700_000_000_000;

/** A machine whose clock is off, and a database that takes its time to answer. */
function aMachine(aheadMs: number) {
  const time = { true: START, wall: START + aheadMs };
  const pass = (ms: number) => {
    time.true += ms;
    time.wall += ms;
  };
  const clock = new DatabaseClock({ monotonic: () => time.true - START, wall: () => time.wall });
  return {
    clock,
    pass,
    /** The clock of the machine is set by that much. */
    jump(ms: number) {
      time.wall += ms;
    },
    /** How far what is read from it is from the database's time. */
    error: () => clock.now() - time.true,
    answers: (thereMs: number, backMs: number, databaseAheadMs = 0) =>
      clock.setBy(async () => {
        pass(thereMs);
        const now_ms = String(time.true + databaseAheadMs);
        pass(backMs);
        return { rows: [{ now_ms }] };
      }),
  };
}

describe('the clock of a database', () => {
  test.each([600_000, -600_000])('is read on a machine that is %d ms off', async (aheadMs) => {
    const { answers, clock, error, pass } = aMachine(aheadMs);
    await answers(2, 2);
    expect(error()).toBe(0);
    expect(clock.aheadMs).toBe(aheadMs);
    pass(60_000);
    expect(error()).toBe(0);
  });

  test('is the machine’s until the database is asked', () => {
    expect(aMachine(7).clock.now()).toBe(START + 7);
  });

  test('is not moved by answers that take long, on whichever way', async () => {
    const { answers, error } = aMachine(0);
    await answers(1, 1);
    for (const [there, back] of [
      [3_000, 0],
      [0, 3_000],
    ] as const) {
      await answers(there, back);
      expect(error()).toBe(0);
    }
  });

  test('goes on when the clock of the machine jumps, which is told', async () => {
    const { answers, clock, error, jump } = aMachine(0);
    await answers(1, 1);
    expect(clock.warning).toBeNull();
    jump(-3_600_000);
    expect(error()).toBe(0);
    await answers(1, 1);
    expect(error()).toBe(0);
    expect(clock.warning).toBe("the clock of this machine is 3600 s behind the database's");
    jump(3_605_000);
    await answers(1, 1);
    expect(clock.warning).toBeNull();
    jump(1);
    await answers(1, 1);
    expect(clock.warning).toContain('5 s ahead');
  });

  test('follows a database that is another one now', async () => {
    const { answers, clock, error } = aMachine(0);
    await answers(1, 1);
    await answers(1, 1, 4_000);
    expect(clock.steppedAt).toBe(Number.NEGATIVE_INFINITY);
    await answers(1, 1, 40_000);
    expect(Math.abs(error() - 40_000)).toBeLessThanOrEqual(1);
    expect(clock.steppedAt).toBe(clock.now());
  });

  test('is as it was when nothing answers', async () => {
    const { clock, error } = aMachine(0);
    await expect(clock.setBy(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(error()).toBe(0);
  });
});
