import type { IncomingHttpHeaders } from 'node:http';
import { findToken, type StatusToken } from './tokens.ts';

/** The part of a request that a token may be in. */
interface Credentials {
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
}

/** Names the token that a request carries; null when it has none, a wrong or a malformed one. */
export type Authenticate = (request: Credentials) => StatusToken | null;

const AUTHORIZATION = /^(?:oauth|bearer)[ \t]+([\w.~+/=-]+)[ \t]*$/i;

/**
 * Makes the check of the management API; without tokens nobody passes.
 *
 * @param takesQuery whether `?api_key=` counts too; a header wins over it.
 * @see contracts/status.md section 4, Authentication
 */
export function createAuthenticate(tokens: readonly StatusToken[], takesQuery: boolean): Authenticate {
  return ({ headers, url }) => {
    const text = headers.authorization === undefined ? queryToken(url) : headerToken(headers.authorization);
    return text === null ? null : findToken(tokens, text);
  };

  function queryToken(url: string): string | null {
    const start = url.indexOf('?');
    return takesQuery && start >= 0 ? new URLSearchParams(url.slice(start)).get('api_key') : null;
  }
}

function headerToken(header: string): string | null {
  return AUTHORIZATION.exec(header)?.[1] ?? null;
}
