const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No zone has changed its offset between two quarters of an hour, so one answer serves each. */
const QUARTER_MS = 15 * MINUTE_MS;
const REMEMBERED_OFFSETS = 10_000;
/** By zone: making one takes about a millisecond. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

/** Instants (UTC milliseconds) as one time zone shows them. */
export type ZonedTime = ReturnType<typeof createZonedTime>;

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

/**
 * Makes the calendar and printer of a time zone.
 *
 * @throws RangeError when the zone is unknown (see {@link isTimeZone}).
 * @see contracts/status.md section 2, timestamps
 */
export function createZonedTime(timeZone: string) {
  const format = FORMATS.get(timeZone) ?? formatOf(timeZone);
  FORMATS.set(timeZone, format);
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

  return {
    /** `YYYY-MM-DDTHH:MM:SS.mmm` and `Z`, or the offset that the zone has at that instant. */
    print(instant: number): string {
      const offset = offsetAt(instant);
      if (offset === 0) return new Date(instant).toISOString();
      return new Date(instant + offset).toISOString().slice(0, -1) + printOffset(offset);
    },
    /** The calendar day there, `YYYY-MM-DD`. */
    date: (instant: number) => new Date(instant + offsetAt(instant)).toISOString().slice(0, 10),
    /**
     * The instant at which a calendar day, `YYYY-MM-DD`, begins there. A midnight shown twice is the first; a skipped
     * one is read by the offset before, so it comes out later.
     */
    startOfDay(date: string): number {
      const local = Date.parse(`${date}T00:00:00Z`);
      // No offset reaches a day, so these two lie before and after a change of the clock near this time.
      const before = local - offsetAt(local - DAY_MS);
      const after = local - offsetAt(local + DAY_MS);
      return offsetAt(before) !== local - before && offsetAt(after) === local - after ? after : before;
    },
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function printOffset(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
