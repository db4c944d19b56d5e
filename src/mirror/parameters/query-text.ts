/** One `name=value` of a query, decoded; the name is in lower case. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  /** True for nested forms such as `timestamp[ne]=5`, which no parameter allows. */
  readonly isNested: boolean;
}

const BRACKETS = /^([^[]*)\[([^\]]*)\]$/;
const ARRAY_INDEX = /^\d*$/;
/** Neither escapes nor brackets: the usual query, which is its own decoded form. */
const PLAIN = /^[\w.:=&-]*$/;

/**
 * Splits the query of a request target into decoded pairs, in the order of the request.
 *
 * `name[]` and `name[0]` are values of `name`.
 *
 * @see contracts/mirror-transactions.md section 3
 */
export function readQuery(requestTarget: string): readonly QueryPair[] {
  const start = requestTarget.indexOf('?');
  if (start === -1) return [];
  const query = requestTarget.slice(start + 1);
  if (PLAIN.test(query)) return readPlainQuery(query);
  return [...new URLSearchParams(query)].map(([text, value]) => {
    const name = text.toLowerCase();
    const [, base, index = ''] = BRACKETS.exec(name) ?? [];
    if (base === undefined) return { name, value, isNested: false };
    return { name: base, value, isNested: !ARRAY_INDEX.test(index) };
  });
}

/** Reads what `URLSearchParams` would, for a fraction of its time. */
function readPlainQuery(query: string): readonly QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = equals === -1 ? part : part.slice(0, equals);
    const value = equals === -1 ? '' : part.slice(equals + 1);
    pairs.push({ name: name.toLowerCase(), value, isNested: false });
  }
  return pairs;
}

/** The path of a request target, without query and without a trailing slash. */
export function requestPath(requestTarget: string): string {
  const start = requestTarget.indexOf('?');
  const path = start === -1 ? requestTarget : requestTarget.slice(0, start);
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
