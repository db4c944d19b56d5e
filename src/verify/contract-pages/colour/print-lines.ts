import type { Token, TokenStream } from 'prismjs';
import { type Html, html } from '../../../pages/html.ts';
import { visibleText } from '../visible-text.ts';

/** Kinds of tokens of the library that have a class of their own; all others look like plain text. */
const CLASS_OF: ReadonlyMap<string, string> = new Map([
  ['comment', 'tok-comment'],
  ['keyword', 'tok-keyword'],
  ['boolean', 'tok-keyword'],
  ['null', 'tok-keyword'],
  ['string', 'tok-string'],
  ['triple-quoted-string', 'tok-string'],
  ['string-interpolation', 'tok-string'],
  ['char', 'tok-string'],
  ['number', 'tok-number'],
  ['version', 'tok-number'],
  ['function', 'tok-function'],
  ['function-definition', 'tok-function'],
  ['property', 'tok-function'],
  ['class-name', 'tok-type'],
  ['type-definition', 'tok-type'],
  ['builtin', 'tok-type'],
  ['decorator', 'tok-keyword'],
]);

/** Lines with numbers that can be linked to. */
export function printLines(lines: readonly Html[]): Html {
  return html`${lines.map(
    (line, index) =>
      html`<span id="L${index + 1}"><a href="#L${index + 1}" tabindex="-1">${index + 1}</a>${line}</span>
`,
  )}`;
}

/** Each line as it is. */
export function plainLines(lines: readonly string[]): readonly Html[] {
  return lines.map(visibleText);
}

/** Each line with its tokens in spans; a token over several lines is one in each of them. */
export function colouredLines(stream: TokenStream): readonly Html[] {
  const lines: Html[][] = [[]];
  const add = (text: string, style: string | null): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part === '') continue;
      const shown = visibleText(part);
      lines.at(-1)?.push(style === null ? shown : html`<span class="${style}">${shown}</span>`);
    }
  };
  const walk = (part: TokenStream, style: string | null): void => {
    if (typeof part === 'string') add(part, style);
    else if (Array.isArray(part)) for (const each of part) walk(each, style);
    else walk(part.content, styleOf(part) ?? style);
  };
  walk(stream, null);
  return lines.map((parts) => html`${parts}`);
}

function styleOf({ type, alias }: Token): string | undefined {
  const own = CLASS_OF.get(type);
  return own ?? (typeof alias === 'string' ? CLASS_OF.get(alias) : undefined);
}

/** Longer files are shown without colours. Characters. */
const COLOURED_LENGTH = 262_144;
/** So are files with a longer line: patterns of the library take the square of it. */
const COLOURED_LINE = 4_000;
/** What is shown of a file at all. */
const SHOWN_LENGTH = 1_048_576;
const SHOWN_LINES = 10_000;
const SHOWN_LINE = 4_000;

/**
 * Takes as much of a file as browsers and readers bear. Line ends of every kind are one.
 *
 * `omittedLines` are left out after the last one, `cutLines` are shown in part, and only what `isColoured` may be given to
 * the library that finds colours.
 */
export function boundLines(text: string, { length = SHOWN_LENGTH, lines: mostLines = SHOWN_LINES } = {}) {
  const all = text.replace(/\r\n?/g, '\n').split('\n');
  if (all.length > 1 && all.at(-1) === '') all.pop();
  const lines: string[] = [];
  let cutLines = 0;
  let left = length;
  for (const line of all.slice(0, mostLines)) {
    if (left <= 0) break;
    const shown = line.slice(0, Math.min(SHOWN_LINE, left));
    if (shown.length < line.length) cutLines += 1;
    left -= shown.length + 1;
    lines.push(shown);
  }
  const isWhole = cutLines === 0 && lines.length === all.length;
  return {
    lines,
    omittedLines: all.length - lines.length,
    cutLines,
    isColoured:
      isWhole && text.length <= COLOURED_LENGTH && all.every((line) => line.length <= COLOURED_LINE),
  };
}
