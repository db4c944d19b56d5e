import { describe, expect, test } from 'vitest';
import { printHtml } from '../../pages/html.ts';
import { createPageTime, durationText, longDate, monthName } from './page-time.ts';

const at = (text: string) => Date.parse(text);

describe('createPageTime', () => {
  test.each([
    ['Etc/UTC', '2026-03-02T09:40:12Z', 'Mar 2, 2026, 09:40 UTC'],
    ['Europe/Berlin', '2026-03-02T09:40:12Z', 'Mar 2, 2026, 10:40 CET'],
    ['Europe/Berlin', '2026-07-02T09:40:12Z', 'Jul 2, 2026, 11:40 CEST'],
    ['America/New_York', '2026-03-02T02:00:00Z', 'Mar 1, 2026, 21:00 EST'],
    ['Asia/Kolkata', '2026-03-02T09:40:12Z', 'Mar 2, 2026, 15:10 IST'],
    ['America/Sao_Paulo', '2026-03-02T09:40:12Z', 'Mar 2, 2026, 06:40 GMT-3'],
  ])('names the zone %s as people there do', (zone, instant, shown) => {
    expect(createPageTime(zone).text(at(instant))).toBe(shown);
  });

  test('programs read the instant with its offset', () => {
    expect(printHtml(createPageTime('Europe/Berlin').element(at('2026-03-02T09:40:12.480Z')))).toBe(
      '<time datetime="2026-03-02T10:40:12.480+01:00">Mar 2, 2026, 10:40 CET</time>',
    );
  });

  const shown = (zone: string, from: string, to: string) =>
    printHtml(createPageTime(zone).window(at(from), at(to))).replace(/<[^>]*>/g, '');

  test('a window within a day names the day once', () => {
    expect(shown('Etc/UTC', '2026-03-05T02:00Z', '2026-03-05T03:30Z')).toBe(
      'Thursday, Mar 5, 2026, 02:00 – 03:30 UTC',
    );
  });

  test('a window over several days names both, and both zones when the clock changes in between', () => {
    expect(shown('Etc/UTC', '2026-03-05T22:00Z', '2026-03-06T01:00Z')).toBe(
      'Thursday, Mar 5, 2026, 22:00 – Friday, Mar 6, 2026, 01:00 UTC',
    );
    expect(shown('Europe/Berlin', '2026-10-25T00:30Z', '2026-10-25T01:30Z')).toBe(
      'Sunday, Oct 25, 2026, 02:30 CEST – 02:30 CET',
    );
  });
});

test.each([
  [0, '0 s'],
  [45_000, '45 s'],
  [3_600_000, '1 h'],
  [5_400_000, '1 h 30 min'],
  [86_400_000, '1 day'],
  [2 * 86_400_000 + 3 * 3_600_000 + 61_000, '2 days 3 h'],
])('durationText of %d ms is %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test('days and months have their names', () => {
  expect(longDate('2026-03-02')).toBe('Monday, Mar 2, 2026');
  expect(monthName('2026-12')).toBe('December 2026');
});
