import type { Scan } from '../contracts/scan-scheduler.ts';
import type { SignatureType } from '../signatures.ts';
import type { KnownSignature, SignatureRepository } from './signature-repository.sql.ts';

/** Read at once; between two parts other requests have their turn. */
const ROWS_AT_ONCE = 2000;
/** Texts of so many characters together are tested at once: some milliseconds with the worst pattern. */
const CHARACTERS_AT_ONCE = 32_768;
const MAX_OF_A_KIND = 100;

/** The signatures of each kind that fit a pattern, in the order of their text. */
type FoundSignatures = Readonly<Record<SignatureType, readonly KnownSignature[]>>;

/**
 * Searches all signatures for a pattern with `*` and `?`; letter case counts. At most a hundred of each kind.
 *
 * @param scan gives the parts of the search their turns.
 * @param signal ends the search early.
 */
export async function searchSignatures(
  repository: SignatureRepository,
  pattern: string,
  scan: Scan,
  signal: AbortSignal,
): Promise<FoundSignatures> {
  const found: Record<SignatureType, KnownSignature[]> = { function: [], event: [], error: [] };
  const prefix = literalPrefix(pattern);
  const fits = createPatternTest(pattern);
  let after = '';
  for (;;) {
    await scan.turn();
    if (signal.aborted) break;
    const part = await repository.listByText({ prefix, after, limit: ROWS_AT_ONCE });
    let characters = 0;
    for (const known of part) {
      characters += known.signature.length;
      if (characters > CHARACTERS_AT_ONCE) {
        await scan.turn();
        characters = 0;
      }
      if (!fits(known.signature)) continue;
      for (const type of known.types) if (found[type].length < MAX_OF_A_KIND) found[type].push(known);
    }
    const isFull = Object.values(found).every(({ length }) => length >= MAX_OF_A_KIND);
    const last = part.at(-1);
    if (isFull || last === undefined || part.length < ROWS_AT_ONCE) break;
    after = last.signature;
  }
  return found;
}

/**
 * Makes the test whether a text fits a pattern in which `*` stands for any characters and `?` for one.
 *
 * What stands between two stars is searched once, from the end of the part before it, so no text takes longer than the
 * product of both lengths.
 */
export function createPatternTest(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) {
    const whole = new RegExp(`^${sourceOf(first)}$`);
    return (text) => whole.test(text);
  }
  const beginning = new RegExp(`^${sourceOf(first)}`);
  const ending = new RegExp(`${sourceOf(last)}$`, 'y');
  const middles = others.filter((part) => part !== '').map((part) => new RegExp(sourceOf(part), 'g'));
  return (text) => {
    if (!beginning.test(text)) return false;
    let at = first.length;
    for (const middle of middles) {
      middle.lastIndex = at;
      if (!middle.test(text)) return false;
      at = middle.lastIndex;
    }
    ending.lastIndex = text.length - last.length;
    return ending.lastIndex >= at && ending.test(text);
  };
}

function sourceOf(part: string): string {
  return part.replaceAll(/[\\^$.*+()[\]{}|/]/g, '\\$&').replaceAll('?', '[^]');
}

/** What every text that fits a pattern begins with. */
export function literalPrefix(pattern: string): string {
  const end = pattern.search(/[*?]/);
  return end < 0 ? pattern : pattern.slice(0, end);
}
