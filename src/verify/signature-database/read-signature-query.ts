import { invalidParameter } from '../errors.ts';
import { queryText } from '../query-text.ts';
import { shorten } from '../shorten.ts';
import type { SignatureType } from '../signatures.ts';

/** A hash as it was written, and its digits. */
export interface AskedHash {
  readonly text: string;
  /** Lower case, without 0x: 8 or 64. */
  readonly digits: string;
}

const HASH = /^0x(?:[0-9a-f]{8}|[0-9a-f]{64})$/i;
const PATTERN = /^[\w$()[\],*?]+$/;
const LONGEST_PATTERN = 200;

/** Reads the hashes that a list separated by commas names. @throws VerifyRequestError `invalid_parameter` */
export function readHashes(query: unknown, name: SignatureType): readonly AskedHash[] {
  const texts = queryText(query, name).split(',');
  return texts.filter((text) => text !== '').map((text) => readHash(name, text));
}

function readHash(name: string, text: string): AskedHash {
  if (HASH.test(text)) return { text, digits: text.slice(2).toLowerCase() };
  throw invalidParameter(
    `request/query/${name} must list hashes of 4 or 32 bytes as 0x-prefixed hex, separated by commas; ` +
      `"${shorten(text)}" is not one`,
  );
}

/** Reads what to search for. @throws VerifyRequestError `invalid_parameter` */
export function readPattern(query: unknown): string {
  const pattern = queryText(query, 'query');
  if (pattern.length <= LONGEST_PATTERN && PATTERN.test(pattern)) return pattern;
  throw invalidParameter(
    `request/query/query must be a signature of at most ${LONGEST_PATTERN} characters, such as ` +
      'transfer(address,uint256); * stands for any characters and ? for one',
  );
}
