import { StatusNotFoundError } from '../../errors.ts';
import type { Downtime } from '../../model/page-state.ts';
import type { ZonedTime } from '../../rules/zoned-time.ts';
import type { PastEntry } from '../../store/status-repository.ts';
import { beganAt } from './incident-view.ts';

/** Months of one page. @see contracts/status.md section 10 */
const MONTHS_PER_PAGE = 3;

/** One page of the history, before its entries are read. */
export type HistoryPage = ReturnType<typeof historyPage>;
/** A month with what began in it, newest first. */
export type HistoryMonth = ReturnType<typeof historyMonths>[number];

/**
 * Which months a page of the history shows; page 1 has this month and the two before.
 *
 * @param begin of all that is known: of the page itself or its oldest entry, UTC milliseconds.
 * @throws StatusNotFoundError for a page that lies wholly before that.
 */
export function historyPage(number: number, begin: number, time: ZonedTime, now: number) {
  const thisMonth = indexOf(time.date(now));
  const oldest = Math.min(thisMonth, indexOf(time.date(begin)));
  const newest = thisMonth - (number - 1) * MONTHS_PER_PAGE;
  if (newest < oldest) throw new StatusNotFoundError('path', String(number));
  const months = Array.from({ length: MONTHS_PER_PAGE }, (_, back) => monthAt(newest - back));
  const start = (month: number) => time.startOfDay(`${monthAt(month)}-01`);
  return {
    number,
    /** `YYYY-MM`, newest first. */
    months,
    /** UTC milliseconds, `to` exclusive. */
    range: { from: start(newest - MONTHS_PER_PAGE + 1), to: start(newest + 1) },
    hasOlder: newest - MONTHS_PER_PAGE >= oldest,
  };
}

/** The months of a page with what was read for its range, newest first. */
export function historyMonths(
  { months }: HistoryPage,
  entries: readonly PastEntry[],
  downtimes: readonly Downtime[],
  time: ZonedTime,
) {
  const monthOf = (instant: number) => time.date(instant).slice(0, 7);
  return months.map((month) => ({
    month,
    entries: entries.filter((entry) => monthOf(beganAt(entry)) === month),
    downtimes: downtimes.filter(({ from }) => monthOf(from) === month).reverse(),
  }));
}

/** Months since the year 0, so that they can be counted. */
function indexOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

function monthAt(index: number): string {
  const year = String(Math.floor(index / 12)).padStart(4, '0');
  return `${year}-${String((index % 12) + 1).padStart(2, '0')}`;
}
