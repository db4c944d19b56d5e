import { createHash, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../rules/object-id.ts';

/** What a token may do; `write` includes `read`. */
type TokenScope = 'read' | 'write';

/** One token of the management API: never the token itself, only its hash. */
export interface StatusToken {
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

/** A new token, its text shown once, and the line for the list of tokens. */
interface NewToken {
  readonly text: string;
  readonly line: string;
}

/** Makes a token of 32 random bytes. */
export function createStatusToken(name: string, scope: TokenScope, randomBytes: RandomBytes): NewToken {
  const text = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  return { text, line: `${name}:${scope}:${hashOf(text).toString('hex')}` };
}

/** The token with this text, or null; takes the same time whichever it is. */
export function findToken(tokens: readonly StatusToken[], text: string): StatusToken | null {
  const sought = hashOf(text);
  let found: StatusToken | null = null;
  for (const token of tokens) if (timingSafeEqual(sought, Buffer.from(token.hash, 'hex'))) found = token;
  return found;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
