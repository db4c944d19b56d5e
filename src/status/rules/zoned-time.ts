const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No zone has changed its offset between two quarters of an hour, so one answer serves each. */
const QUARTER_MS = 15 * MINUTE_MS;
/** 9999-12-31T23:59:59.999Z */
const LAST_INSTANT = 253_402_300_799_999;
const REMEMBERED_OFFSETS = 10_000;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** Reads and prints instants (UTC milliseconds) as one time zone shows them. */
export interface ZonedTime {
  /** `YYYY-MM-DDTHH:MM:SS.mmm` and `Z`, or the offset that the zone has at that instant. */
  print(instant: number): string;
  /** The calendar day there, `YYYY-MM-DD`. */
  date(instant: number): string;
  /**
   * Reads ISO 8601 with any offset; a text without one, or a day alone (its midnight), is local time.
   *
   * @returns null for any other text and for instants before 1970 or after 9999.
   */
  parse(text: string): number | null;
}

/** Whether the text is the IANA name of a zone that this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Whether the text is an existing day in the form `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/**
 * Makes the reader and printer of a time zone.
 *
 * @throws RangeError when the zone is unknown (see {@link isTimeZone}).
 * @see contracts/status.md section 2, timestamps
 */
export function createZonedTime(timeZone: string): ZonedTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const isUtc = format.resolvedOptions().timeZone === 'UTC';
  const offsets = new Map<number, number>();

  function offsetAt(instant: number): number {
    if (isUtc) return 0;
    const quarter = Math.floor(instant / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const start = quarter * QUARTER_MS;
    const parts = new Map(format.formatToParts(start).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const local = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    const offset = Math.round((local - start) / MINUTE_MS) * MINUTE_MS;
    if (offsets.size >= REMEMBERED_OFFSETS) offsets.clear();
    offsets.set(quarter, offset);
    return offset;
  }

  /** What the clock shows twice is the first time; what it skips is read by the offset before, so it comes out later. */
  function fromLocal(local: number): number {
    // No offset reaches a day, so these two lie before and after a change of the clock near this time.
    const before = local - offsetAt(local - DAY_MS);
    const after = local - offsetAt(local + DAY_MS);
    return offsetAt(before) !== local - before && offsetAt(after) === local - after ? after : before;
  }

  return {
    print(instant) {
      const offset = offsetAt(instant);
      if (offset === 0) return new Date(instant).toISOString();
      return new Date(instant + offset).toISOString().slice(0, -1) + printOffset(offset);
    },
    date: (instant) => new Date(instant + offsetAt(instant)).toISOString().slice(0, 10),
    parse(text) {
      const local = parseLocal(text.trim());
      if (local === null) return null;
      const instant = local.offset === null ? fromLocal(local.time) : local.time - local.offset;
      return instant >= 0 && instant <= LAST_INSTANT ? instant : null;
    },
  };
}

function printOffset(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Wall-clock time as if it were UTC, and the offset that the text names, both in milliseconds. */
function parseLocal(text: string): { readonly time: number; readonly offset: number | null } | null {
  if (isCalendarDate(text)) return { time: Date.parse(`${text}T00:00:00Z`), offset: null };
  const match = DATE_TIME.exec(text);
  if (match === null) return null;
  const [, date = '', hour = '', minute = '', second = '00', fraction = '', zone] = match;
  if (!isCalendarDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const time = Date.parse(`${date}T${hour}:${minute}:${second}Z`) + milliseconds;
  if (zone === undefined) return { time, offset: null };
  if (zone === 'Z' || zone === 'z') return { time, offset: 0 };
  const digits = zone.replace(/\D/g, '').padEnd(4, '0');
  const offset = (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * MINUTE_MS;
  return { time, offset: zone.startsWith('-') ? -offset : offset };
}
