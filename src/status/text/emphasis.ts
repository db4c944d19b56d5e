/** A run of `*` or `_`, some of which may turn out to begin or end emphasis. */
export interface EmphasisRun {
  readonly kind: 'run';
  readonly character: '*' | '_';
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** What it ends, innermost first. */
  readonly closes: EmphasisTag[];
  /** How many characters are text. */
  rest: number;
  /** What it begins, outermost first. */
  readonly opens: EmphasisTag[];
}

type EmphasisTag = 'em' | 'strong';

/** Longer runs are ornament. */
const LONGEST_RUN = 3;
const SPACE = /^\s?$/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/**
 * A run between two characters, which decide whether it can begin or end emphasis: not beside a space, and `_` not
 * within a word.
 *
 * @param before the character in front of it, empty at the edge of the text; `after` likewise.
 */
export function emphasisRun(run: string, before: string, after: string): EmphasisRun {
  const touchesNext = touches(after, before);
  const touchesLast = touches(before, after);
  const isWordwise = run.startsWith('*');
  const isShort = run.length <= LONGEST_RUN;
  return {
    kind: 'run',
    character: isWordwise ? '*' : '_',
    length: run.length,
    canOpen: isShort && touchesNext && (isWordwise || !touchesLast || PUNCTUATION.test(before)),
    canClose: isShort && touchesLast && (isWordwise || !touchesNext || PUNCTUATION.test(after)),
    closes: [],
    rest: run.length,
    opens: [],
  };
}

function touches(neighbour: string, other: string): boolean {
  if (SPACE.test(neighbour)) return false;
  return !PUNCTUATION.test(neighbour) || SPACE.test(other) || PUNCTUATION.test(other);
}

/** Finds what begins and ends emphasis among runs given in their order; what stays alone stays text. Linear. */
export function matchEmphasis(runs: readonly EmphasisRun[]): void {
  const waiting = { '*': [] as number[], _: [] as number[] };
  for (const [index, run] of runs.entries()) {
    const own = waiting[run.character];
    const other = waiting[run.character === '*' ? '_' : '*'];
    while (run.canClose && run.rest > 0) {
      const at = own.at(-1);
      const opener = at === undefined ? undefined : runs[at];
      if (at === undefined || opener === undefined || !belongsTo(opener, run)) break;
      const used = Math.min(opener.rest, run.rest, 2);
      const tag = used === 2 ? 'strong' : 'em';
      opener.opens.unshift(tag);
      run.closes.push(tag);
      opener.rest -= used;
      run.rest -= used;
      if (opener.rest === 0) own.pop();
      // What began inside cannot end outside.
      while ((other.at(-1) ?? -1) > at) other.pop();
    }
    if (run.canOpen && run.rest > 0) own.push(index);
  }
}

/** Whether two runs pair: one that can do both pairs with no other if that would tear `**` apart. @see CommonMark 0.31 section 6.2, rules 9 and 10 */
function belongsTo(opener: EmphasisRun, closer: EmphasisRun): boolean {
  if (!opener.canClose && !closer.canOpen) return true;
  return (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0);
}
