import { html } from '../../pages/html.ts';
import { createZonedTime } from '../rules/zoned-time.ts';

export type PageTime = ReturnType<typeof createPageTime>;

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The languages of the countries that have names for their zones; the others say `GMT+1`. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-IN', 'en-ZA'];

/** Prints instants (UTC milliseconds) and days of one zone for people. @see contracts/status.md section 10, Times */
export function createPageTime(timeZone: string) {
  const zoned = createZonedTime(timeZone);
  const formats = LOCALES.map(
    (locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }),
  );
  /** By offset: asking the runtime for each of a page's hundreds of times would take longer than the page. */
  const names = new Map<string, string>();

  function zoneName(instant: number): string {
    const offset = zoned.print(instant).slice(23);
    const known = names.get(offset);
    if (known !== undefined) return known;
    const all = formats.map((format) => partOf(format, instant));
    const name = all.find((each) => !/^GMT./.test(each)) ?? all[0] ?? timeZone;
    names.set(offset, name);
    return name;
  }

  const clock = (instant: number) => zoned.print(instant).slice(11, 16);
  const text = (instant: number) =>
    `${shortDate(zoned.date(instant))}, ${clock(instant)} ${zoneName(instant)}`;
  const element = (instant: number, shown: string) =>
    html`<time datetime="${zoned.print(instant)}">${shown}</time>`;

  return {
    /** For programs: days, midnights and the attribute `datetime`. */
    zoned,
    /** The short name that the zone has at an instant, such as `CET`; `GMT-3` for zones without one. */
    zoneName,
    /** `Mar 2, 2026, 09:40 UTC` */
    text,
    /** The same as an element `time`. */
    element: (instant: number) => element(instant, text(instant)),
    /** Its day alone as an element `time`: `Mar 2, 2026`. */
    dayElement(instant: number) {
      const date = zoned.date(instant);
      return html`<time datetime="${date}">${shortDate(date)}</time>`;
    },
    /** From one instant to another with their weekdays; the second day is left out when it is the first. */
    window(from: number, to: number) {
      const [first, last] = [zoned.date(from), zoned.date(to)];
      const [before, after] = [zoneName(from), zoneName(to)];
      const start = `${longDate(first)}, ${clock(from)}${before === after ? '' : ` ${before}`}`;
      const end = `${first === last ? '' : `${longDate(last)}, `}${clock(to)} ${after}`;
      return html`${element(from, start)} – ${element(to, end)}`;
    },
  };
}

function partOf(format: Intl.DateTimeFormat, instant: number): string {
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT?';
}

/** `Mar 2, 2026` for `2026-03-02`. */
function shortDate(date: string): string {
  return `${monthAndDay(date)}, ${date.slice(0, 4)}`;
}

/** `Mar 2` for `2026-03-02`. */
export function monthAndDay(date: string): string {
  return `${monthOf(date).slice(0, 3)} ${Number(date.slice(8, 10))}`;
}

/** `Monday, Mar 2, 2026` for `2026-03-02`. */
export function longDate(date: string): string {
  return `${WEEKDAYS[weekday(date)]}, ${shortDate(date)}`;
}

/** `March 2026` for `2026-03` or a day in it. */
export function monthName(month: string): string {
  return `${monthOf(month)} ${month.slice(0, 4)}`;
}

/** 0 for Sunday to 6. */
export function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** `2 days 3 h`, `1 h 30 min`, `45 s`: the two largest units of a time in milliseconds. */
export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const units: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), Math.floor(seconds / 86_400) === 1 ? 'day' : 'days'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

function monthOf(date: string): string {
  return MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
}
