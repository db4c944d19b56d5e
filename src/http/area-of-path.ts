import type { AreaName } from './area.ts';

/** End of a path segment, also for those who undo the escapes of reserved characters or know path parameters. */
const END = '(?:[/;?#]|%2f|%3b|%3f|%23|$)';
/** Paths of the status page besides its API; `/i/…` and the feeds also answer at the root. */
const STATUS_PATHS = new RegExp(`^/(?:api/v2|v1|status|i)${END}|^/history\\.(?:rss|atom)${END}`, 'i');
const MANAGEMENT_PATHS = new RegExp(`^/v1${END}`, 'i');
const MIRROR_PATHS = new RegExp(`^/api/v1${END}`, 'i');

/**
 * Says whose clients read the answer to a request, known path or not.
 *
 * @param target in its canonical form.
 * @see design/architecture.md section 1, row "Unknown routes"
 */
export function areaOfPath(target: string): AreaName {
  if (STATUS_PATHS.test(target)) return 'status';
  if (MIRROR_PATHS.test(target)) return 'mirror';
  return 'verify';
}

/** The management API of area B is not for browsers of other origins, its 404s included. */
export function isManagementPath(target: string): boolean {
  return MANAGEMENT_PATHS.test(target);
}
