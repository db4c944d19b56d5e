import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** What is to be done to the time of a test server. */
type ClockChange =
  | { readonly kind: 'advance'; readonly milliseconds: number }
  /** `isStopped` is null when the time goes on passing, or standing still, as before. */
  | { readonly kind: 'move'; readonly now: number; readonly isStopped: boolean | null };

/** Hundred years: what is more is a mistake in the unit. */
const MAX_ADVANCE_MS = 3_155_760_000_000;
/** Of a date, to either side of 1970. */
const LAST_INSTANT_MS = 8_640_000_000_000_000;

/** @throws LedgerlensError `invalid_clock` when it is not a duration of a test. */
export function requireDuration(name: string, milliseconds: unknown): number {
  if (
    Number.isInteger(milliseconds) &&
    (milliseconds as number) >= 0 &&
    (milliseconds as number) <= MAX_ADVANCE_MS
  )
    return milliseconds as number;
  throw refused(`${name} must be an integer from 0 to ${MAX_ADVANCE_MS} (milliseconds)`, milliseconds);
}

/** Reads UTC milliseconds or an ISO 8601 instant with its zone. @throws LedgerlensError `invalid_clock` otherwise. */
export function requireInstant(name: string, instant: unknown): number {
  const isZoned = typeof instant === 'string' && /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(instant);
  const now = isZoned ? Date.parse(instant) : instant instanceof Date ? instant.getTime() : instant;
  if (Number.isInteger(now) && Math.abs(now as number) <= LAST_INSTANT_MS) return now as number;
  throw refused(
    `${name} must be an instant such as "2024-01-31T00:00:00Z", or milliseconds since 1970`,
    instant,
  );
}

/**
 * Reads `{"advanceMs":60000}`, or `{"now":"2024-01-31T00:00:00Z"}` with an optional `"stopped":true`.
 *
 * @throws LedgerlensError `invalid_clock` naming the member and what is allowed.
 */
export function readClockChange(text: string): ClockChange {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refused(EXPECTED);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refused(EXPECTED);
  const { advanceMs, now, stopped = null, ...others } = body as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refused(`"${unknown}" is not a known member: ${EXPECTED}`);
  if (stopped !== null && typeof stopped !== 'boolean')
    throw refused('"stopped" must be true or false', stopped);
  if ((advanceMs === undefined) === (now === undefined)) throw refused(EXPECTED);
  if (now !== undefined) return { kind: 'move', now: requireInstant('"now"', now), isStopped: stopped };
  if (stopped !== null) throw refused('"stopped" is allowed only with "now"');
  return { kind: 'advance', milliseconds: requireDuration('"advanceMs"', advanceMs) };
}

const EXPECTED =
  'the body must be {"advanceMs": milliseconds} or {"now": instant}, the latter with "stopped": true or false if wanted';

function refused(text: string, value?: unknown): LedgerlensError {
  const got = value === undefined ? '' : `, not ${String(JSON.stringify(value)).slice(0, 100)}`;
  return new LedgerlensError('invalid_clock', `${text}${got}`);
}
