/** One way in which a text can differ from its original in line ends only. */
interface LineEndingVariation {
  /** For people, for example `CRLF, one line end at the end`. */
  readonly name: string;
  readonly apply: (text: string) => string;
}

const LINE_ENDS: readonly LineEndingVariation[] = [
  { name: 'CRLF', apply: (text) => text.replaceAll(/\r?\n/g, '\r\n') },
  { name: 'LF', apply: (text) => text.replaceAll('\r\n', '\n') },
];

/** The first leaves the end as it is, which is what version control does to a file with several empty lines there. */
const LAST_LINES: readonly LineEndingVariation[] = [
  { name: 'end unchanged', apply: (text) => text },
  { name: 'trimmed end', apply: (text) => text.trimEnd() },
  { name: 'trimmed end with LF', apply: (text) => `${text.trimEnd()}\n` },
  { name: 'trimmed end with CRLF', apply: (text) => `${text.trimEnd()}\r\n` },
  { name: 'end with one more LF', apply: (text) => `${text}\n` },
  { name: 'end with one more CRLF', apply: (text) => `${text}\r\n` },
];

/**
 * Every combination of line ends and last line, the likeliest first.
 *
 * @see contracts/verification-engine.md section 9.3
 */
export const LINE_ENDING_VARIATIONS: readonly LineEndingVariation[] = LAST_LINES.flatMap((last) =>
  LINE_ENDS.map((lines) => ({
    name: `${lines.name}, ${last.name}`,
    apply: (text: string) => last.apply(lines.apply(text)),
  })),
);
