import { type Html, html } from '../../../pages/html.ts';
import { NANOS_PER_SECOND, parseTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { MAX_INT64 } from '../../../values/int64.ts';

const MILLIS = 1000n;
const DAY_NANOS = 86_400n * NANOS_PER_SECOND;
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(?:\s*(?:Z|UTC))?$/i;
const NANOSECONDS = /^\d{17,19}$/;

/** `2023-11-14 22:13:20.000000001` of nanoseconds since the epoch. */
export function utcWithNanos(nanos: bigint): string {
  return `${utc(nanos)}.${(nanos % NANOS_PER_SECOND).toString().padStart(9, '0')}`;
}

/** `2023-11-14 22:13:20`. */
export function utc(nanos: bigint): string {
  return new Date(Number((nanos / NANOS_PER_SECOND) * MILLIS)).toISOString().slice(0, 19).replace('T', ' ');
}

/** A time that answers print, in short; its nanoseconds are in the tooltip and for machines. */
export function shortTime(timestamp: string): Html {
  const nanos = parseTimestamp(timestamp);
  if (nanos === null) return html`${timestamp}`;
  const all = utcWithNanos(nanos);
  return html`<time datetime="${all.replace(' ', 'T')}Z" title="${timestamp} (${all} UTC)">${utc(nanos)}</time>`;
}

/** The same with everything to read. */
export function fullTime(timestamp: string): Html {
  const nanos = parseTimestamp(timestamp);
  if (nanos === null) return html`${timestamp}`;
  const all = utcWithNanos(nanos);
  return html`<time datetime="${all.replace(' ', 'T')}Z">${all} UTC</time> <span class="muted code">${timestamp}</span>`;
}

/**
 * Reads a time as people write it: a date, a date with a time (UTC), seconds since the epoch with or without a fraction, or
 * nanoseconds since the epoch.
 *
 * @param edge which nanosecond a day, minute or second without more digits means.
 * @returns as parameters of the API have it; null for another text.
 */
export function momentTimestamp(text: string, edge: 'first' | 'last'): string | null {
  const trimmed = text.trim();
  if (NANOSECONDS.test(trimmed)) {
    const nanos = BigInt(trimmed);
    return nanos > MAX_INT64 ? null : printTimestamp(nanos);
  }
  const seconds = parseTimestamp(trimmed);
  if (seconds !== null) return trimmed;
  const [, date, hour, minute, second, fraction] = MOMENT.exec(trimmed) ?? [];
  if (date === undefined) return null;
  const whole = new Date(`${date}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}Z`);
  // Date turns some impossible dates into others.
  if (Number.isNaN(whole.getTime()) || !whole.toISOString().startsWith(date) || whole.getTime() < 0)
    return null;
  const start = BigInt(whole.getTime() / 1000) * NANOS_PER_SECOND + BigInt((fraction ?? '').padEnd(9, '0'));
  const length =
    hour === undefined
      ? DAY_NANOS
      : second === undefined
        ? 60n * NANOS_PER_SECOND
        : fraction === undefined
          ? NANOS_PER_SECOND
          : 1n;
  return printTimestamp(edge === 'first' ? start : start + length - 1n);
}

/** `3 min 20 s` of seconds that are not negative. */
export function duration(seconds: bigint): string {
  const units: readonly (readonly [bigint, string])[] = [
    [86_400n, 'd'],
    [3600n, 'h'],
    [60n, 'min'],
    [1n, 's'],
  ];
  const first = units.findIndex(([size]) => seconds >= size);
  if (first < 0) return '0 s';
  const shown = units.slice(first, first + 2);
  let rest = seconds;
  const texts: string[] = [];
  for (const [size, name] of shown) {
    if (rest / size > 0n) texts.push(`${rest / size} ${name}`);
    rest %= size;
  }
  return texts.join(' ');
}
