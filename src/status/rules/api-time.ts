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
