/** What makes a path look different without naming anything else: scheme and host, slashes, dots, escapes, a fragment. */
const UNUSUAL = /^[^/]|\/[/.]|[%#]/;
const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const ESCAPE = /%([0-9a-f]{2})/gi;
const UNRESERVED = /[\w.~-]/;
/** What clients put together of a base address, which may end in a slash, and a path, which begins with one. */
const PREFIX = /^\/+(?:(?:api|v1|v2|status)\/+)*/i;

/**
 * The one form of a request target by which everything judges it: router, areas, cross-origin rules, logs and metrics.
 *
 * Of an absolute target the path remains; escapes of letters, digits and `-._~` are undone, dot segments are
 * resolved and a fragment is left out. Repeated slashes are one where an area's path begins; further on they are an
 * empty parameter. The query stays as sent.
 *
 * @see RFC 9112 section 3.2, RFC 3986 section 6.2.2
 * @example canonicalTarget('http://host//x/../%761/pages?a=%61') // '/v1/pages?a=%61'
 */
export function canonicalTarget(target: string): string {
  const queryAt = target.indexOf('?');
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const query = queryAt === -1 ? '' : target.slice(queryAt);
  // The server itself, as in `OPTIONS *`.
  if (target === '*') return target;
  if (!UNUSUAL.test(path)) return query.includes('#') ? path + withoutFragment(query) : target;
  const hasFragment = path.includes('#');
  const plain = withoutFragment(path).replace(SCHEME_AND_HOST, '').replace(ESCAPE, undoEscape);
  const resolved = resolveDots(plain).replace(PREFIX, (prefix) => prefix.replace(/\/{2,}/g, '/'));
  return resolved + (hasFragment ? '' : withoutFragment(query));
}

function withoutFragment(text: string): string {
  return text.split('#', 1)[0] ?? '';
}

function undoEscape(escaped: string, hex: string): string {
  const character = String.fromCharCode(Number.parseInt(hex, 16));
  return UNRESERVED.test(character) ? character : escaped;
}

/** Nothing lies above the root. @see RFC 3986 section 5.2.4 */
function resolveDots(path: string): string {
  if (!path.includes('/.')) return path.startsWith('/') ? path : `/${path}`;
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') kept.push('');
  return `/${kept.join('/')}`;
}

/** Any spelling of the name of the parameter in which the management API takes a token. */
const TOKEN_PARAMETER = 'api_key';

/** The target for a log, which must not keep a token. */
export function loggableTarget(target: string): string {
  const queryAt = target.indexOf('?');
  if (queryAt === -1) return target;
  const pairs = target.slice(queryAt + 1).split('&');
  return `${target.slice(0, queryAt)}?${pairs.map(withoutToken).join('&')}`;
}

function withoutToken(pair: string): string {
  // Also misspelled, as `api_key[]` or behind another name: a token that is refused may be a good one.
  const text = [...new URLSearchParams(pair)].flat().join('=').toLowerCase();
  return text.includes(TOKEN_PARAMETER) ? `${pair.split('=', 1)[0]}=…` : pair;
}
