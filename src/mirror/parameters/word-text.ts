import { parseFilter } from './filter-operator.ts';
import type { IntegerSelection } from './page-parameters.ts';

/** The greatest number of 256 bits. */
const MAX_WORD = 2n ** 256n - 1n;

const DIGITS = 64;

/** Which words conditions leave: bounds all hold, inclusive; equal ones are alternatives, null without any. */
export type WordSelection = Omit<IntegerSelection, 'excluded'>;

/**
 * Combines checked conditions on slots, keys or topics, which are compared as numbers.
 *
 * @param equals whether any of several values without operator will do, or all hold
 */
export function selectWords(texts: readonly string[], equals: 'any' | 'all'): WordSelection {
  let [lower, upper] = [0n, MAX_WORD];
  const equal = new Set<bigint>();
  for (const { operator, value } of texts.map(parseFilter).filter((filter) => filter !== null)) {
    const word = wordOfText(value);
    const isBound = operator !== 'eq' || equals === 'all';
    if (!isBound) equal.add(word);
    if (isBound && !operator.startsWith('l')) {
      const bound = operator === 'gt' ? word + 1n : word;
      if (bound > lower) lower = bound;
    }
    if (isBound && !operator.startsWith('g')) {
      const bound = operator === 'lt' ? word - 1n : word;
      if (bound < upper) upper = bound;
    }
  }
  // What cannot be asked of the store.
  if (lower > MAX_WORD || upper < 0n) [lower, upper] = [1n, 0n];
  return { equal: equal.size === 0 ? null : equal, lower, upper };
}

/** @param text hex digits with or without `0x` */
export function wordOfText(text: string): bigint {
  return BigInt(`0x${text.replace(/^0x/, '')}`);
}

/** 64 hex digits. */
export function wordDigits(word: bigint): string {
  return word.toString(16).padStart(DIGITS, '0');
}

/** 32 bytes. */
export function wordBytes(word: bigint): Uint8Array {
  return Buffer.from(wordDigits(word), 'hex');
}
