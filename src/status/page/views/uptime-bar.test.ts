import { describe, expect, test } from 'vitest';
import { printHtml } from '../../../pages/html.ts';
import type { ComponentStatus } from '../../rules/component-status.ts';
import { PAGE_CSS } from '../page-look.ts';
import { markOf, wordOf } from '../status-marks.ts';
import { describeBar, renderBar, renderPatterns } from './uptime-bar.ts';

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

  test('every day is as high, whatever happened in it, and has a pattern of its own', () => {
    const worse = [
      'operational',
      'under_maintenance',
      'degraded_performance',
      'partial_outage',
      'major_outage',
    ] as const;
    const drawn = printHtml(renderBar(bar(null, ...worse), ['2026-02-26', ...DATES]));
    expect([...drawn.matchAll(/d="M\d 0V28"/g)]).toHaveLength(6);
    const patternOf = (mark: string) =>
      new RegExp(`\\.bar \\.is-${mark} \\{ stroke-dasharray: ([^;]+);`).exec(PAGE_CSS)?.[1] ?? 'whole';
    const patterns = [null, ...worse].map((status) => patternOf(markOf(status)));
    expect(new Set(patterns).size).toBe(6);
    expect(patternOf('operational')).toBe('whole');
    const legend = printHtml(renderPatterns());
    for (const status of [null, ...worse]) expect(legend).toContain(wordOf(status));
  });
});
