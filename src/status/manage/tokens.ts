import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RandomBytes } from '../rules/object-id.ts';

/** What a token may do; `write` includes `read`. */
type TokenScope = 'read' | 'write';

/** One token of the management API: never the token itself, only its hash. */
interface StatusToken {
  /** For log and audit. */
  readonly name: string;
  readonly scope: TokenScope;
  /** Hex SHA-256 of the token text. */
  readonly hash: string;
}

const LINE = /^([\w.-]{1,64}):(read|write):([0-9a-f]{64})$/i;
const TOKEN_BYTES = 32;

/**
 * Reads tokens as `name:scope:hash`, separated by commas or white space.
 *
 * @param onProblem is told what is wrong; what it is told never holds a hash.
 * @see contracts/status.md section 4, Authentication
 */
export function parseStatusTokens(
  text: string,
  onProblem: (problem: string) => void,
): readonly StatusToken[] {
  const tokens: StatusToken[] = [];
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const [index, entry] of entries.entries()) {
    const match = LINE.exec(entry);
    const [, name = '', scope = '', hash = ''] = match ?? [];
    if (match === null) onProblem(`entry ${index + 1} is not of the form name:read:HASH or name:write:HASH`);
    else if (tokens.some((token) => token.name === name)) onProblem(`the name "${name}" is given twice`);
    else tokens.push({ name, scope: scope.toLowerCase() as TokenScope, hash: hash.toLowerCase() });
  }
  return tokens;
}

/** Makes a token of 32 random bytes: its text, shown once, and the line for the list of tokens. */
export function createStatusToken(name: string, scope: TokenScope, randomBytes: RandomBytes) {
  const text = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  return { text, line: `${name}:${scope}:${hashOf(text).toString('hex')}` };
}

/** The token with this text, or null; takes the same time whichever it is. */
function findToken(tokens: readonly StatusToken[], text: string): StatusToken | null {
  const sought = hashOf(text);
  let found: StatusToken | null = null;
  for (const token of tokens) if (timingSafeEqual(sought, Buffer.from(token.hash, 'hex'))) found = token;
  return found;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

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
