import type { ProblemList } from './problems.ts';

/** The members of a call as parsed from JSON or a form; nothing about them is known yet. */
export type Input = Readonly<Record<string, unknown>>;

const NAME_LIMIT = 255;
/** Characters of an update or a postmortem. @see contracts/status.md section 4, Writing incidents */
export const BODY_LIMIT = 25_000;
const TRUE_TEXTS: ReadonlySet<unknown> = new Set([true, 'true', '1', 1]);
const FALSE_TEXTS: ReadonlySet<unknown> = new Set([false, 'false', '0', 0]);

/** Whether a call gives a member; null counts as given, undefined does not. */
export function isGiven(input: Input, member: string): boolean {
  return Object.hasOwn(input, member) && input[member] !== undefined;
}

/** Whether a call says nothing by a member: it is absent, null or empty text. */
export function isBlank(input: Input, member: string): boolean {
  return (input[member] ?? '') === '';
}

/** Whether a value is a plain object, as opposed to null, an array or a scalar. */
export function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads `name`: trimmed, 1 to 255 characters. */
export function readName(input: Input, problems: ProblemList): string {
  const value = input['name'];
  const name =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? wellFormed(value).trim() : '';
  if (name === '') problems.add('nameBlank');
  if (characters(name) > NAME_LIMIT) problems.add('nameTooLong');
  return name;
}

/** Reads `body`; absent and empty are the same, empty text. */
export function readBody(input: Input, problems: ProblemList): string {
  const body = readText(input, 'body', problems) ?? '';
  if (characters(body) > BODY_LIMIT) problems.add('bodyTooLong');
  return body;
}

/** Reads free text; empty and absent give null. */
export function readText(input: Input, member: string, problems: ProblemList): string | null {
  const value = input[member] ?? '';
  if (typeof value === 'string') return value === '' ? null : wellFormed(value);
  if (typeof value === 'number') return String(value);
  problems.addUnreadable(member);
  return null;
}

/** Reads a flag, also in the forms that web forms send; absent and null keep `current`. */
export function readFlag(input: Input, member: string, current: boolean, problems: ProblemList): boolean {
  const value = input[member] ?? null;
  if (value === null || value === '') return current;
  if (TRUE_TEXTS.has(value)) return true;
  if (!FALSE_TEXTS.has(value)) problems.addUnreadable(member);
  return false;
}

/** Reads an instant; a blank or unreadable one gives `current`. */
export function readInstant<T extends number | null>(
  input: Input,
  member: string,
  current: T,
  problems: ProblemList,
): number | T {
  if (isBlank(input, member)) return current;
  const value = input[member];
  const instant = typeof value === 'string' ? readApiTime(value) : null;
  if (instant === null) problems.addUnreadable(member);
  return instant ?? current;
}

/** Half a surrogate pair cannot be stored: what is kept would differ from what was answered. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\u{FFFD}');
}

/** Counts what people call characters, not their halves in storage. */
export function characters(text: string): number {
  return [...text].length;
}

/** 9999-12-31T23:59:59.999Z */
const LAST_INSTANT = 253_402_300_799_999;

const CLOCK = String.raw`(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d{0,6})?)?`;
const ZONE = String.raw`Z|(?<= )(?:UTC?|GMT)|([+-]\d\d)(?::?(\d\d))?`;
const DATE_TIME = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)(?:[T ]${CLOCK} ?(?:${ZONE})?)?$`, 'i');
const RFC_2822_DATE = /^([A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2} \d{4})(?= \d)/;

/**
 * Reads a time of the management API: ISO 8601, what Ruby prints, or RFC 2822; without a zone it is UTC.
 *
 * @returns UTC milliseconds; null for any other text and for instants before 1970 or after 9999.
 * @see contracts/status.md section 4, Writing incidents
 */
export function readApiTime(text: string): number | null {
  const match = DATE_TIME.exec(withIsoDate(text.trim()));
  if (match === null) return null;
  const [, date, clock = '00:00', second = '00', fraction = '', hours = '+00', minutes = '00'] = match;
  const local = `${date}T${clock}:${second}.${fraction.padEnd(3, '0')}`;
  // Date reads 30 February and 24:00 as a later day.
  if (new Date(`${local}Z`).toJSON() !== `${local}Z`) return null;
  const instant = Date.parse(`${local}${hours}:${minutes}`);
  return instant >= 0 && instant <= LAST_INSTANT ? instant : null;
}

/** Writes the date of RFC 2822 as in ISO 8601; one that does not exist, or not on that weekday, stays as it is. */
function withIsoDate(text: string): string {
  return text.replace(RFC_2822_DATE, (given: string, weekday = '', day = '', monthAndYear = '') => {
    const date = `${weekday}${day.padStart(2, '0')} ${monthAndYear}`;
    const midnight = new Date(`${date} 00:00:00 GMT`);
    return midnight.toUTCString().includes(date) ? midnight.toISOString().slice(0, 10) : given;
  });
}
