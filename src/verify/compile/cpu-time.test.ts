import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isLeftOut, notLinux } from '../../../test/support/left-out.ts';
import { CpuStopWatch, readThreadId, threadCpuMs } from './cpu-time.ts';

describe('CpuStopWatch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A thread that gets a share of a processor. */
  const sharing = (share: number | null) => ({
    cpuMs: () => (share === null ? null : 70 + share * Date.now()),
    wallMs: () => Date.now(),
  });

  test.each([
    ['a processor of its own', 1, 1000],
    ['half of one', 0.5, 2000],
    ['a quarter', 0.25, 4000],
    ['nothing, because it hangs', 0, 5000],
    ['nobody knows what', null, 1000],
  ])('a limit of 1 s for a thread with %s', (_, share, endsAfter) => {
    const watch = new CpuStopWatch(sharing(share));
    const onLimit = vi.fn();
    watch.limit(1000, onLimit);
    vi.advanceTimersByTime(endsAfter - 1);
    expect(onLimit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(onLimit).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(onLimit).toHaveBeenCalledTimes(1);
  });

  test('ends with its work', () => {
    const watch = new CpuStopWatch(sharing(1));
    const onLimit = vi.fn();
    const end = watch.limit(1000, onLimit);
    vi.advanceTimersByTime(500);
    end();
    vi.advanceTimersByTime(60_000);
    expect(onLimit).not.toHaveBeenCalled();
  });
});

describe.skipIf(isLeftOut(notLinux))('threadCpuMs', () => {
  test('grows while this thread works', () => {
    const thread = readThreadId();
    const before = threadCpuMs(thread) ?? Number.NaN;
    while ((threadCpuMs(thread) ?? 0) < before + 20) JSON.stringify(process.versions);
    expect(threadCpuMs(thread)).toBeGreaterThanOrEqual(before + 20);
  });

  test('is null for a thread that is not there', () => {
    expect(threadCpuMs(2 ** 22 + 1)).toBeNull();
    expect(threadCpuMs(null)).toBeNull();
  });
});
