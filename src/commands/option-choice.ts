import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './invocation.ts';

/**
 * Reads an option that allows a few words.
 *
 * @returns null when it is not given.
 * @throws LedgerlensError `usage` naming what is allowed.
 */
export function readChoice<Word extends string>(
  values: Invocation['values'],
  name: string,
  words: readonly Word[],
): Word | null {
  const given = values[name];
  if (given === undefined) return null;
  const word = words.find((each) => each === given);
  if (word !== undefined) return word;
  throw new LedgerlensError('usage', `--${name} must be one of ${words.join(', ')}`);
}
