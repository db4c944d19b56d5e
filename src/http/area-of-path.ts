import type { AreaName } from './area.ts';

/** Paths of the status page besides its API; `/i/…` and the feeds also answer at the root. */
const STATUS_PATHS = /^\/(?:api\/v2|v1|status|i)(?:\/|$)|^\/history\.(?:rss|atom)$/i;
const MANAGEMENT_PATHS = /^\/v1(?:[/?#]|$)/i;
const MIRROR_PATHS = /^\/api\/v1(?:\/|$)/i;

/**
 * Says whose clients read the answer to a path, known or not.
 *
 * @see design/architecture.md section 1, row "Unknown routes"
 */
export function areaOfPath(url: string): AreaName {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  if (STATUS_PATHS.test(path)) return 'status';
  if (MIRROR_PATHS.test(path)) return 'mirror';
  return 'verify';
}

/** The management API of area B is not for browsers of other origins, its 404s included. */
export function isManagementPath(url: string): boolean {
  return MANAGEMENT_PATHS.test(url);
}
