import { describe, expect, test } from 'vitest';
import { createZonedTime } from '../../rules/zoned-time.ts';
import { historyMonths, historyPage } from './history-view.ts';

const UTC = createZonedTime('Etc/UTC');
const at = (text: string) => Date.parse(text);
const NOW = at('2026-03-15T12:00:00Z');
const LONG_AGO = at('2025-06-30T23:00:00Z');

describe('historyPage', () => {
  test('has this month and the two before, then the three before those', () => {
    expect(historyPage(1, LONG_AGO, UTC, NOW)).toEqual({
      number: 1,
      months: ['2026-03', '2026-02', '2026-01'],
      range: { from: at('2026-01-01T00:00Z'), to: at('2026-04-01T00:00Z') },
      hasOlder: true,
    });
    expect(historyPage(2, LONG_AGO, UTC, NOW).months).toEqual(['2025-12', '2025-11', '2025-10']);
  });

  test('ends with the month in which everything began', () => {
    expect(historyPage(4, LONG_AGO, UTC, NOW)).toMatchObject({
      months: ['2025-06', '2025-05', '2025-04'],
      hasOlder: false,
    });
    for (const number of [5, 1e9, Number.POSITIVE_INFINITY]) {
      expect(() => historyPage(number, LONG_AGO, UTC, NOW)).toThrow('Not found');
    }
  });

  test('the months are those of the zone', () => {
    const berlin = createZonedTime('Europe/Berlin');
    const lateInMarch = at('2026-03-31T22:30:00Z');
    expect(historyPage(1, LONG_AGO, berlin, lateInMarch)).toMatchObject({
      months: ['2026-04', '2026-03', '2026-02'],
      range: { from: at('2026-01-31T23:00Z'), to: at('2026-04-30T22:00Z') },
    });
  });

  test('a page that was made in the future still has its first page', () => {
    expect(historyPage(1, NOW + 90 * 86_400_000, UTC, NOW).hasOlder).toBe(false);
  });
});

test('historyMonths puts each stretch without a server under its month, newest first', () => {
  const page = historyPage(1, LONG_AGO, UTC, NOW);
  const stretch = (from: string) => ({ from: at(from), to: at(from) + 90_000 });
  const downtimes = ['2026-02-01T00:00Z', '2026-02-03T00:00Z', '2026-03-01T00:00Z'].map(stretch);
  expect(historyMonths(page, [], downtimes, UTC).map((month) => month.downtimes)).toEqual([
    [downtimes[2]],
    [downtimes[1], downtimes[0]],
    [],
  ]);
});
