import { resolveReferences } from './character-references.ts';
import type { BlockTag, InlineTag } from './html-writer.ts';

/** A part of a paragraph, in the order of the text. */
type InlineToken =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'open' | 'close'; readonly tag: InlineTag | BlockTag }
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'softBreak' | 'hardBreak' }
  | EmphasisRun;

/** Where something other than plain text may begin. */
const SPECIAL = /[\\`*_[\]<&\n]|(?<![\p{L}\p{N}])https?:\/\//giu;
const ESCAPED = /\\([!-/:-@[-`{-~])/y;
const BACKTICKS = /`+/y;
const RUN = /\*+|_+/y;
const TAG = /<(\/?)(br|p|b|strong|i|em|code|ul|ol|li|a)((?:\s[^<>]*|\/)?)>/iy;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=`]+))/i;
const ANGLE_ADDRESS = /<(https?:\/\/[^\s<>]+)>/iy;
const BARE_ADDRESS = /https?:\/\/[^\s<>"[\]`\\|{}^]+/iy;
const TARGET = /\(\s*<?(https?:\/\/(?:[^\s()<>"]|\([^\s()<>"]*\))+)>?(?:\s+"[^"\n]*")?\s*\)/iy;
const REFERENCE = /&#?\w{1,8};/y;

/** What was read at a place: how many characters, and what they are. */
type Reading = readonly [length: number, ...tokens: InlineToken[]];

/**
 * Splits the text of a paragraph into its parts: the Markdown of the contract and a few HTML elements.
 *
 * What is neither is text. Reads every character a bounded number of times.
 *
 * @see contracts/status.md section 10, Body rendering
 */
export function inlineTokens(source: string): readonly InlineToken[] {
  const tokens: InlineToken[] = [];
  /** Places in `tokens` of each `[` that may begin a link. */
  const brackets: number[] = [];
  const codeEnds = backtickRuns(source);
  let at = 0;

  function match(pattern: RegExp, from = at): RegExpExecArray | null {
    pattern.lastIndex = from;
    return pattern.exec(source);
  }

  function text(length: number): Reading {
    return [length, { kind: 'text', text: source.slice(at, at + length) }];
  }

  function address(length: number, written: string): Reading {
    const href = linkAddress(written);
    if (href === null) return text(length);
    return [length, { kind: 'link', href }, { kind: 'text', text: href }, { kind: 'close', tag: 'a' }];
  }

  function code(): Reading {
    const length = match(BACKTICKS)?.[0].length ?? 1;
    const ends = codeEnds.get(length) ?? [];
    while ((ends.at(-1) ?? source.length) <= at) ends.pop();
    const end = ends.at(-1);
    if (end === undefined) return text(length);
    return [end + length - at, { kind: 'code', text: unpadded(source.slice(at + length, end)) }];
  }

  function run(character: string): Reading {
    const { length } = match(RUN)?.[0] ?? character;
    const [before, after] = [source.charAt(at - 1), source.charAt(at + length)];
    return [length, emphasisRun(character.repeat(length), before, after)];
  }

  function closingBracket(): Reading {
    const opener = brackets.pop();
    if (opener === undefined) return text(1);
    const [target = '', written = ''] = match(TARGET, at + 1) ?? [];
    const href = linkAddress(written);
    if (href === null) return text(1);
    tokens[opener] = { kind: 'link', href };
    // A link holds no other.
    brackets.length = 0;
    return [1 + target.length, { kind: 'close', tag: 'a' }];
  }

  function angle(): Reading {
    const tag = match(TAG);
    if (tag !== null) return [tag[0].length, ...elementToken(tag)];
    const [whole = '<', written = ''] = match(ANGLE_ADDRESS) ?? [];
    return address(whole.length, written);
  }

  function special(character: string): Reading {
    switch (character) {
      case '\n':
        return [1, { kind: 'softBreak' }];
      case '\\': {
        const escaped = match(ESCAPED)?.[1];
        return escaped === undefined ? text(1) : [2, { kind: 'text', text: escaped }];
      }
      case '`':
        return code();
      case '*':
      case '_':
        return run(character);
      case '[':
        brackets.push(tokens.length);
        return text(1);
      case ']':
        return closingBracket();
      case '<':
        return angle();
      case '&': {
        const reference = match(REFERENCE)?.[0] ?? '&';
        return [reference.length, { kind: 'text', text: resolveReferences(reference) }];
      }
      default: {
        const written = match(BARE_ADDRESS)?.[0] ?? character;
        const length = bareAddressLength(written);
        return address(length, written.slice(0, length));
      }
    }
  }

  while (at < source.length) {
    const next = match(SPECIAL);
    const end = next?.index ?? source.length;
    if (end > at) tokens.push({ kind: 'text', text: source.slice(at, end) });
    at = end;
    if (next === null) break;
    const [length, ...made] = special(next[0]);
    tokens.push(...made);
    at += length;
  }
  matchEmphasis(tokens.filter((each) => each.kind === 'run'));
  return tokens;
}

/** Where runs of backticks begin, by their length, last first. */
function backtickRuns(source: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of source.matchAll(/`+/g)) {
    const begins = runs.get(run.length);
    if (begins === undefined) runs.set(run.length, [index]);
    else begins.push(index);
  }
  for (const begins of runs.values()) begins.reverse();
  return runs;
}

/** Without the one space on either side that keeps a backtick at the edge apart. */
function unpadded(code: string): string {
  const isPadded = /^\s/.test(code) && /\s$/.test(code) && code.trim() !== '';
  return isPadded ? code.slice(1, -1) : code;
}

/** Nothing for a link to elsewhere than the web; its text stays. */
function elementToken([, slash, name = '', attributes = '']: RegExpExecArray): readonly InlineToken[] {
  const tag = name.toLowerCase() as InlineTag | BlockTag | 'br';
  if (tag === 'br') return [{ kind: 'hardBreak' }];
  if (slash === '/') return [{ kind: 'close', tag }];
  if (tag !== 'a') return [{ kind: 'open', tag }];
  const [, ...values] = HREF.exec(attributes) ?? [];
  const href = linkAddress(values.find((value) => value !== undefined) ?? '');
  return href === null ? [] : [{ kind: 'link', href }];
}

const WEB = /^https?:\/\/[^\s\\]+$/i;

/** The address of a link as authors write it, or null unless it is one of the web (http or https). */
function linkAddress(written: string): string | null {
  const address = resolveReferences(written).trim();
  return WEB.test(address) && URL.canParse(address) ? address : null;
}

/** What stands after an address in a sentence, rather than in it. */
const SENTENCE_END = /[.,:;!?'*_~]$/;

/** The length of the part of a text's address that belongs to it: not the full stop or bracket around it. */
function bareAddressLength(address: string): number {
  let length = address.length;
  let unclosed = 0;
  for (const character of address) unclosed += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (; length > 0; length--) {
    const last = address.charAt(length - 1);
    if (last === ')' && unclosed < 0) unclosed++;
    else if (!SENTENCE_END.test(last)) break;
  }
  return length;
}

/** A run of `*` or `_`, some of which may turn out to begin or end emphasis. */
interface EmphasisRun {
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
const MAX_RUN_LENGTH = 3;
const SPACE = /^\s?$/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/**
 * A run between two characters, which decide whether it can begin or end emphasis: not beside a space, and `_` not
 * within a word.
 *
 * @param before the character in front of it, empty at the edge of the text; `after` likewise.
 */
function emphasisRun(run: string, before: string, after: string): EmphasisRun {
  const touchesNext = touches(after, before);
  const touchesLast = touches(before, after);
  const isWordwise = run.startsWith('*');
  const isShort = run.length <= MAX_RUN_LENGTH;
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
function matchEmphasis(runs: readonly EmphasisRun[]): void {
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
