import { parseFilter } from './filter-operator.ts';
import { NO_MATCH, type NoMatch } from './no-match.ts';

/** Which public keys a list asks for; keys are lower-case hex and compare as text. */
export type PublicKeyFilter =
  | { readonly kind: 'one'; readonly key: string }
  | {
      readonly kind: 'range';
      /** Inclusive. */
      readonly lower: string;
      /** Exclusive. */
      readonly upper: string;
      readonly excluded: ReadonlySet<string>;
    };

/** Ed25519, compressed secp256k1, Ed25519 as DER. */
const PUBLIC_KEY = /^(?:0x)?(?:[\dA-Fa-f]{64}|[\dA-Fa-f]{66}|[\dA-Fa-f]{88})$/;
/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410). */
const DER = /^302a300506032b6570032100(?=[\da-f]{64}$)/;
/** Behind every key that can be asked for. */
const BEHIND_ALL = 'ff'.repeat(64);

/**
 * The check of one public key with optional operator.
 *
 * @see contracts/mirror-entities.md section 1.2, public keys
 */
export function isPublicKeyCondition(text: string): boolean {
  const filter = parseFilter(text);
  return filter !== null && PUBLIC_KEY.test(filter.value);
}

/**
 * Combines checked conditions; all must hold for the same key.
 *
 * @returns null without conditions, `none` when no key can meet them.
 */
export function parsePublicKeyFilter(texts: readonly string[]): PublicKeyFilter | null | NoMatch {
  let [lower, upper] = ['', BEHIND_ALL];
  const equal = new Set<string>();
  const excluded = new Set<string>();
  for (const text of texts) {
    const filter = parseFilter(text);
    if (filter === null) continue;
    const key = filter.value.replace(/^0x/, '').toLowerCase().replace(DER, '');
    // The next one in the order of texts.
    const next = `${key}00`;
    const { operator } = filter;
    if (operator === 'eq') equal.add(key);
    else if (operator === 'ne') excluded.add(key);
    else if (operator === 'gt') lower = greater(lower, next);
    else if (operator === 'gte') lower = greater(lower, key);
    else if (operator === 'lt') upper = lesser(upper, key);
    else upper = lesser(upper, next);
  }
  if (texts.length === 0) return null;
  const range: PublicKeyFilter = { kind: 'range', lower, upper, excluded };
  const [key, another] = equal;
  if (key === undefined) return lower < upper ? range : NO_MATCH;
  return another === undefined && selectsKey(range, key) ? { kind: 'one', key } : NO_MATCH;
}

/** Whether a key meets the conditions. */
export function selectsKey(filter: PublicKeyFilter, key: string): boolean {
  if (filter.kind === 'one') return key === filter.key;
  return key >= filter.lower && key < filter.upper && !filter.excluded.has(key);
}

function greater(a: string, b: string): string {
  return a > b ? a : b;
}

function lesser(a: string, b: string): string {
  return a < b ? a : b;
}
