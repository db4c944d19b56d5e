import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemRepeat, systemTimer } from './repetition.ts';

const timersThatKeepAlive = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('systemRepeat', () => {
  test('calls again and again, never twice at a time, keeps no process alive, and ends after the last call', async () => {
    const before = timersThatKeepAlive();
    let running = 0;
    let most = 0;
    let calls = 0;
    const stop = systemRepeat(async () => {
      running += 1;
      most = Math.max(most, running);
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
    }, 1);
    expect(timersThatKeepAlive()).toBe(before);
    await expect.poll(() => calls).toBeGreaterThan(2);
    await stop();
    expect([most, running]).toEqual([1, 0]);
  });
});

describe('systemTimer', () => {
  test('keeps the process alive for what waits for it, until it is cancelled', () => {
    const before = timersThatKeepAlive();
    const cancel = systemTimer(() => undefined, 60_000);
    expect(timersThatKeepAlive()).toBe(before + 1);
    cancel();
    expect(timersThatKeepAlive()).toBe(before);
  });

  test('calls once, when the time is up, and not at all once it is cancelled', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let [calls, cancelled] = [0, 0];
    systemTimer(() => calls++, 1000);
    systemTimer(() => cancelled++, 1000)();
    vi.advanceTimersByTime(999);
    expect(calls).toBe(0);
    vi.advanceTimersByTime(10_000);
    expect([calls, cancelled]).toEqual([1, 0]);
  });
});
