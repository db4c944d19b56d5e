import { describe, expect, test } from 'vitest';
import { ManualClock } from '../values/clock.ts';
import { createProgressLine, describeProgress } from './progress-line.ts';

const parts = (done: number) => ({ done, total: 300, what: 'units', detail: 'x.rcd' });

describe('describeProgress', () => {
  test('tells count, rate and the time left', () => {
    expect(describeProgress(parts(120), 2)).toBe('120 of 300 units, 60/s, 3 s left: x.rcd');
    expect(describeProgress(parts(0), 0)).toBe('0 of 300 units, 0.0/s: x.rcd');
    expect(describeProgress({ ...parts(120), total: null }, 2)).toBe('120 units, 60/s: x.rcd');
  });
});

describe('createProgressLine', () => {
  test('rewrites one line on a terminal, at most ten times a second, and the last state always', () => {
    const clock = new ManualClock(0);
    let text = '';
    const line = createProgressLine({ isTTY: true, write: (more: string) => (text += more) }, clock);
    for (const [time, done] of [
      [0, 1],
      [10, 2],
      [20, 3],
      [150, 200],
      [160, 300],
    ] as const) {
      clock.set(time);
      line.show(parts(done));
    }
    line.close();
    line.close();
    expect(text.match(/\d+ of 300/g)).toEqual(['1 of 300', '200 of 300', '300 of 300']);
    expect(text.startsWith('\r')).toBe(true);
    expect(text.endsWith('\n')).toBe(true);
  });

  test('writes a plain line every five seconds elsewhere', () => {
    const clock = new ManualClock(0);
    const lines: string[] = [];
    const line = createProgressLine({ write: (more: string) => lines.push(more) }, clock);
    for (let second = 0; second <= 11; second += 1) {
      clock.set(second * 1000);
      line.show(parts(second));
    }
    line.close();
    expect(lines).toEqual([
      '5 of 300 units, 1.0/s, 295 s left: x.rcd\n',
      '10 of 300 units, 1.0/s, 290 s left: x.rcd\n',
    ]);
  });
});
