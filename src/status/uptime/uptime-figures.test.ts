import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { durationsWithin, meanUptimeText, uptimePercentage, uptimeText } from './uptime-figures.ts';

const DAY = 86_400_000;

describe('uptimePercentage and uptimeText', () => {
  test.each([
    ['a clean day', { total: DAY, major: 0, partial: 0 }, 100, '100'],
    ['one hour of a major outage', { total: DAY, major: 3_600_000, partial: 0 }, 95.8333, '95.83'],
    ['one hour of a partial outage', { total: DAY, major: 0, partial: 3_600_000 }, 98.75, '98.75'],
    ['one second in ninety days', { total: 90 * DAY, major: 1000, partial: 0 }, 100, '99.99'],
    ['one millisecond in ninety days', { total: 90 * DAY, major: 1, partial: 0 }, 100, '99.99'],
    ['nothing but outage', { total: DAY, major: DAY, partial: 0 }, 0, '0.00'],
    ['no time at all', { total: 0, major: 0, partial: 0 }, 100, '100'],
  ])('of %s', (_, time, percentage, text) => {
    expect([uptimePercentage(time), uptimeText(time)]).toEqual([percentage, text]);
  });

  test('the text never promises more than there was', () => {
    const parts = fc.tuple(fc.nat(90 * DAY), fc.nat(90 * DAY), fc.nat(90 * DAY));
    fc.assert(
      fc.property(parts, ([up, major, partial]) => {
        const total = up + major + partial;
        const exact = total === 0 ? 100 : 100 * (1 - (major + 0.3 * partial) / total);
        const time = { total, major, partial };
        expect(Number(uptimeText(time))).toBeLessThanOrEqual(exact + 1e-9);
        expect(uptimeText(time) === '100').toBe(major === 0 && partial === 0);
        expect(Math.abs(uptimePercentage(time) - exact)).toBeLessThanOrEqual(0.00005 + 1e-9);
      }),
    );
  });
});

describe('durationsWithin', () => {
  test('counts only what lies inside of the range', () => {
    const intervals = [
      { start: 0, end: 100, status: 'major_outage' },
      { start: 100, end: 250, status: 'operational' },
      { start: 250, end: 400, status: 'major_outage' },
    ] as const;
    expect(durationsWithin(intervals, 50, 300)).toMatchObject({ major_outage: 100, operational: 150 });
    expect(durationsWithin(intervals, 400, 500)).toMatchObject({ major_outage: 0, operational: 0 });
  });
});

describe('meanUptimeText', () => {
  const clean = { total: DAY, major: 0, partial: 0 };

  test('is the mean of the components, however long each of them exists', () => {
    const short = { total: 3_600_000, major: 3_600_000, partial: 0 };
    expect(meanUptimeText([clean, short])).toBe('50.00');
    expect(meanUptimeText([clean, { total: DAY, major: 0, partial: 3_600_000 }])).toBe('99.37');
  });

  test('is 100 only when none had an outage', () => {
    expect(meanUptimeText([clean, clean, { total: 0, major: 0, partial: 0 }])).toBe('100');
    const others = Array.from({ length: 1000 }, () => clean);
    expect(meanUptimeText([...others, { total: 90 * DAY, major: 1, partial: 0 }])).toBe('99.99');
  });
});
