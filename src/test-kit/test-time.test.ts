import { describe, expect, onTestFinished, test } from 'vitest';
import { TestTime } from './test-time.ts';

const nothing = async () => undefined;

describe('a time that stands still', () => {
  test('goes from one moment at which something is due to the next, and waits for it', async () => {
    const time = new TestTime(0);
    const done: string[] = [];
    const each = (name: string, everyMs: number) =>
      onTestFinished(
        time.repeat(async () => {
          await Promise.resolve();
          done.push(`${name} ${time.now()}`);
        }, everyMs),
      );
    each('three', 3000);
    each('two', 2000);
    time.startTimer(() => done.push(`once ${time.now()}`), 2500);
    await time.advance(6000, nothing);
    expect(done).toEqual(['two 2000', 'once 2500', 'three 3000', 'two 4000', 'three 6000', 'two 6000']);
    expect(time.now()).toBe(6000);
  });

  test('does what repeats up to a thousand times in one jump, at even distances', async () => {
    const time = new TestTime(0);
    const at: number[] = [];
    onTestFinished(time.repeat(async () => void at.push(time.now()), 1000));
    await time.advance(86_400_000, nothing);
    expect(at).toHaveLength(1000);
    expect([at[0], at.at(-1)]).toEqual([86_400, 86_400_000]);
  });

  test('does what repeats at the end of a jump too, where something may be due', async () => {
    const time = new TestTime(0);
    const at: number[] = [];
    onTestFinished(time.repeat(async () => void at.push(time.now()), 5000));
    await time.advance(7000, nothing);
    expect(at).toEqual([5000, 7000]);
  });

  test('what was cancelled is not done', async () => {
    const time = new TestTime(0);
    let count = 0;
    const stop = time.repeat(async () => void count++, 10);
    const cancel = time.startTimer(() => count++, 10);
    cancel();
    await stop();
    await time.advance(100, nothing);
    expect(count).toBe(0);
  });

  test('moved to another moment, keeps the distances to what is due', async () => {
    const time = new TestTime(100_000);
    let count = 0;
    time.startTimer(() => count++, 1000);
    time.set(5000, { isStopped: true });
    await time.advance(999, nothing);
    expect([count, time.now()]).toEqual([0, 5999]);
    await time.advance(1, nothing);
    expect(count).toBe(1);
  });
});

test('a time that passes jumps and goes on passing', async () => {
  const time = new TestTime(null);
  const before = time.now();
  await time.advance(3_600_000, nothing);
  expect(time.now() - before).toBeGreaterThanOrEqual(3_600_000);
  expect(time.isStopped).toBe(false);
});
