import { printableText } from '../values/printable-text.ts';
import type { Invocation } from './command.ts';
import { stringifyExact } from './exact-json.ts';

/** Prints what a command found: as JSON with `--json`, otherwise as text. */
export function printFacts(values: Invocation['values'], facts: unknown, text: () => string): void {
  console.log(values['json'] === true ? stringifyExact(facts, 2) : text());
}

/** Prints rows as columns of equal width, two spaces apart, the last one as long as it is; one line per row. */
export function renderTable(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((row) => row.map(printableText));
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
