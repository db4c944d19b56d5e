/** What the headers of a request begin with: clients differ, most send one of these first. */
const FIRST_HEADERS = [
  'host',
  'connection',
  'accept',
  'accept-encoding',
  'authorization',
  'content-length',
  'content-type',
  'origin',
  'user-agent',
  'x-forwarded-for',
] as const;

/**
 * Objects that keep the engine's shapes of request headers in use; the first import of the executable.
 *
 * Node makes an object of the headers of each request, name by name. In a process as large as this one the engine
 * looked their shapes up anew for every request, an eighth of the time of a ready answer; with objects of these shapes
 * that were made first and stay, it does not.
 *
 * @see docs/adr/0027-what-a-ready-answer-costs.md
 */
export const KEPT_SHAPES: readonly Readonly<Record<string, string>>[] = FIRST_HEADERS.map((name) => {
  const headers: Record<string, string> = {};
  headers[name] = '';
  return headers;
});
