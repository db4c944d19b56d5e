import type { CopiedRow, CopiedTable, CopyEnd } from './copy-end.ts';

/** Bytes of a page, about: sources and bytecode are large, most rows of a ledger are not. */
const PAGE_BYTES = 4_000_000;
const FIRST_ROWS = 16;
const MOST_ROWS = 8_192;
/** Of a value that is no text or bytes. */
const VALUE_BYTES = 8;

/** The pages of a table after a key, each as large as the one before tells that it may be. */
export async function* pagesOf(
  end: CopyEnd,
  table: CopiedTable,
  after: CopiedRow | null,
): AsyncGenerator<readonly CopiedRow[]> {
  const places = table.key.map((column) => table.columns.indexOf(column));
  let key = after;
  let limit = FIRST_ROWS;
  for (;;) {
    const rows = await end.rowsAfter(table, key, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < limit) return;
    key = places.map((place) => last[place] ?? null);
    const fitting = Math.floor((PAGE_BYTES * rows.length) / sizeOf(rows));
    limit = Math.max(1, Math.min(fitting, limit * 4, MOST_ROWS));
  }
}

function sizeOf(rows: readonly CopiedRow[]): number {
  let size = 0;
  for (const row of rows) {
    for (const value of row) {
      if (typeof value === 'string') size += value.length;
      else if (typeof value === 'object' && value !== null) size += value.byteLength;
      else size += VALUE_BYTES;
    }
  }
  return Math.max(1, size);
}
