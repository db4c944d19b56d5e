import { describe, expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from '../../rules/component-status.ts';
import { worstOfDays } from '../../uptime/status-history.ts';
import { describeStretch } from '../rendering/render-components.ts';
import { dayStretches } from './day-stretches.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const days = Array.from({ length: 90 }, (_, index) => ({
  date: new Date(index * DAY).toISOString().slice(0, 10),
  start: index * DAY,
  end: (index + 1) * DAY,
}));
const NOW = 89 * DAY + 9 * HOUR;
const holds = (status: ComponentStatus, start: number, end: number) => ({ status, start, end });
const stretchesOf = (intervals: readonly ReturnType<typeof holds>[], most = 90) =>
  dayStretches(worstOfDays(intervals, days), intervals, days, most);

describe('dayStretches', () => {
  test('tells of quiet days together, of those with trouble and of today alone', () => {
    const outage = 70 * DAY + HOUR;
    const found = stretchesOf([
      holds('operational', 10 * DAY, outage),
      holds('major_outage', outage, outage + 2 * HOUR),
      holds('degraded_performance', outage + 2 * HOUR, outage + 3 * HOUR),
      holds('operational', outage + 3 * HOUR, NOW),
    ]);
    expect(found.map(describeStretch)).toEqual([
      'Jan 1 to Jan 10: No data',
      'Jan 11 to Mar 1: No outage',
      'Mar 2 to Mar 11: No outage',
      'Mar 12: Major outage 2 h, Degraded performance 1 h',
      'Mar 13 to Mar 30: No outage',
      'Mar 31, today so far: Operational',
    ]);
  });

  test('what is wrong today is told with its length so far', () => {
    const found = stretchesOf([
      holds('operational', 0, NOW - HOUR),
      holds('partial_outage', NOW - HOUR, NOW),
    ]);
    expect(found.map(describeStretch).at(-1)).toBe('Mar 31, today so far: Partial outage 1 h');
  });

  test('covers every day once and keeps to its limit, the newest days apart', () => {
    const status = fc.constantFrom(...COMPONENT_STATUSES);
    fc.assert(
      fc.property(
        fc.array(status, { minLength: 90, maxLength: 90 }),
        fc.integer({ min: 6, max: 90 }),
        (each, most) => {
          const found = stretchesOf(
            each.map((status, index) => holds(status, index * DAY, (index + 1) * DAY)),
            most,
          );
          expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(90);
          expect(found.length).toBeLessThanOrEqual(most);
          expect(found.filter(({ count }) => count > 60)).toEqual([]);
          expect(found.at(-1)).toMatchObject({ isToday: true, count: 1 });
          expect(found.some(({ first }) => first === days[60]?.date)).toBe(true);
        },
      ),
    );
  });
});
