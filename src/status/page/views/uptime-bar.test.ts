import { describe, expect, test } from 'vitest';
import { printHtml } from '../../../pages/html.ts';
import type { ComponentStatus } from '../../rules/component-status.ts';
import { describeBar, renderBar } from './uptime-bar.ts';

const DATES = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'];
const bar = (...days: readonly (ComponentStatus | null)[]) => ({ days, uptime: '99.98' });

describe('describeBar', () => {
  test('names the days that were not operational, the worst first, and runs of days once', () => {
    const days = bar('partial_outage', 'major_outage', 'major_outage', 'operational', 'major_outage');
    expect(describeBar(days, DATES)).toBe(
      'Last 5 days: 99.98 % uptime. Major outage: Feb 28 to Mar 1, Mar 3. Partial outage: Feb 27.',
    );
  });

  test('says that nothing happened, and from when on it is known', () => {
    const quiet = bar('operational', 'operational', 'operational', 'operational', 'operational');
    expect(describeBar(quiet, DATES)).toBe('Last 5 days: 99.98 % uptime. No outage.');
    expect(describeBar(bar(null, 'operational', 'operational', 'operational', 'operational'), DATES)).toBe(
      'Last 5 days: 99.98 % uptime. No data for the first 1 day.',
    );
  });
});

test('counts the days where naming them would take a minute to listen to', () => {
  const days = Array.from(
    { length: 30 },
    (_, index): ComponentStatus => (index % 2 ? 'operational' : 'major_outage'),
  );
  const dates = days.map((_, index) => `2026-01-${String(index + 1).padStart(2, '0')}`);
  expect(describeBar({ days, uptime: '50.00' }, dates)).toBe(
    'Last 30 days: 50.00 % uptime. Major outage on 15 days.',
  );
});

describe('renderBar', () => {
  test('draws one path per status and one block per day', () => {
    const drawn = printHtml(
      renderBar(bar(null, 'operational', 'major_outage', 'operational', 'operational'), DATES),
    );
    expect(drawn.match(/<path class="([^"]+)"/g)).toEqual([
      '<path class="is-no-data"',
      '<path class="is-operational"',
      '<path class="is-major"',
    ]);
    expect(drawn.match(/M\d+ \d+V\d+/g)).toHaveLength(5);
    expect(drawn).toContain('role="img"');
  });

  test('the worse the day, the deeper the notch', () => {
    const worse = [
      'operational',
      'under_maintenance',
      'degraded_performance',
      'partial_outage',
      'major_outage',
    ] as const;
    const drawn = printHtml(renderBar(bar(...worse), DATES));
    const tops = [...drawn.matchAll(/M\d+ (\d+)V28/g)].map(([, top]) => Number(top));
    expect(tops).toHaveLength(5);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    expect(new Set(tops).size).toBe(5);
  });
});
