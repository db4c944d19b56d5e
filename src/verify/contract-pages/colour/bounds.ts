/** Longer files are shown without colours. Characters. */
const COLOURED_LENGTH = 262_144;
/** So are files with a longer line: patterns of the library take the square of it. */
const COLOURED_LINE = 4_000;
/** What is shown of a file at all. */
const SHOWN_LENGTH = 1_048_576;
const SHOWN_LINES = 10_000;
const SHOWN_LINE = 4_000;

/** The part of a file that a page shows, by lines. */
interface ShownLines {
  readonly lines: readonly string[];
  /** Lines that are left out after the last one. */
  readonly omittedLines: number;
  /** Lines that are shown in part. */
  readonly cutLines: number;
  /** Whether it may be given to the library that finds colours. */
  readonly isColoured: boolean;
}

/** Takes as much of a file as browsers and readers bear. Line ends of every kind are one. */
export function boundLines(
  text: string,
  { length = SHOWN_LENGTH, lines: mostLines = SHOWN_LINES } = {},
): ShownLines {
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
