import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './command.ts';

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

/** Reads an option that is a whole number; null when it is not given. @throws LedgerlensError `usage` naming its bounds. */
export function readWholeNumber(
  values: Invocation['values'],
  name: string,
  [least, most]: readonly [number, number],
): number | null {
  const given = values[name];
  if (given === undefined) return null;
  const number = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : -1;
  if (number >= least && number <= most) return number;
  throw new LedgerlensError('usage', `--${name} must be a whole number from ${least} to ${most}`);
}

/** One action of a command; gets the words after its name and returns the exit code. */
export type Action<On, Result = number> = (
  on: On,
  words: readonly string[],
  values: Invocation['values'],
) => Promise<Result>;

/** Finds the action that a command's first word names. @throws LedgerlensError `usage` naming all there are. */
export function readAction<Known>(
  actions: Readonly<Record<string, Known>>,
  command: string,
  name: string,
  others: readonly string[] = [],
): Known {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  const known = [...Object.keys(actions), ...others].join(', ');
  throw new LedgerlensError('usage', `Unknown action "${name}" of ${command}; the actions are: ${known}`);
}
