import { readFormMembers } from '../../status/index.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** What the actions of `ledgerlens status` are about. */
type StatusNoun = 'page' | 'component' | 'group' | 'incident' | 'update' | 'subscriber';

/** What the calls of the service call them: `createComponent`. */
export const CALLED = {
  component: 'Component',
  group: 'Group',
  incident: 'Incident',
  subscriber: 'Subscriber',
} as const satisfies Partial<Record<StatusNoun, string>>;

/** Reads the noun; its plural and `maintenance` are understood. @throws LedgerlensError `usage` */
export function readNoun<Noun extends StatusNoun>(word: string | undefined, allowed: readonly Noun[]): Noun {
  const singular = (word ?? '').replace(/^maintenances?$/, 'incident').replace(/s$/, '');
  const noun = allowed.find((each) => each === singular);
  if (noun !== undefined) return noun;
  throw new LedgerlensError('usage', `Name one of: ${allowed.join(', ')}`);
}

/**
 * Reads members as words: `name=API`, `components[ID]=major_outage`, `component_ids[]=ID`.
 *
 * @throws LedgerlensError `usage`
 */
export function readMembers(words: readonly string[]): Readonly<Record<string, unknown>> {
  const pairs = words.map((word) => {
    const at = word.indexOf('=');
    if (at < 1) throw new LedgerlensError('usage', `"${word}" is not a member such as name=API`);
    return [word.slice(0, at), word.slice(at + 1)] as const;
  });
  const members = readFormMembers(pairs);
  if (members === null) throw new LedgerlensError('usage', 'The member names contradict each other');
  return members;
}

/** The id among the words. @throws LedgerlensError `usage` */
export function readId(word: string | undefined, what: string): string {
  if (word === undefined || word === '' || word.includes('='))
    throw new LedgerlensError('usage', `Name the id of the ${what}`);
  return word;
}
