/** Ranges that include `application/json`, from the most specific one. */
const JSON_RANGES = ['application/json', 'application/*', '*/*'] as const;

/**
 * Tells whether an Accept header allows a JSON answer; the most specific matching range decides.
 *
 * @param header absent or empty means anything.
 * @see RFC 9110 section 12.5.1
 */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true;
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
    if (!Number.isNaN(quality)) qualities.set(range, Math.max(quality, qualities.get(range) ?? 0));
  }
  const decisive = JSON_RANGES.find((range) => qualities.has(range));
  return decisive !== undefined && (qualities.get(decisive) ?? 0) > 0;
}
