import { printableText } from '../values/printable-text.ts';

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
