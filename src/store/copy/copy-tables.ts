import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { CopiedTable, CopyEnd } from './copy-end.ts';
import { pagesOf } from './read-table.ts';
import { DigestOfRows, type TableDigest } from './table-digest.ts';

/** Told while it goes on: rows of this run, and what is done with which table. */
export type CopyProgress = (rows: number, what: 'copying' | 'comparing', table: string) => void;

interface CopyParts {
  readonly from: CopyEnd;
  readonly to: CopyEnd;
  /** Those that are referred to first. */
  readonly tables: readonly CopiedTable[];
  readonly progress: CopyProgress;
}

/** A table that is not the same on both sides. */
interface TableDifference {
  readonly table: string;
  readonly from: TableDigest;
  readonly to: TableDigest;
}

export interface CopyReport {
  /** Whether an earlier run had begun. */
  readonly isContinued: boolean;
  readonly tables: number;
  /** Rows of the source. */
  readonly rows: number;
  readonly differences: readonly TableDifference[];
}

/**
 * Copies every table, or what is left of a copy that was interrupted, and compares both sides afterwards.
 *
 * Each page of rows is committed together with its last key, so a run that ends anywhere is continued by the next.
 * A target that differs stays marked as a copy that is not complete.
 *
 * @throws LedgerlensError `copy_refused` for a target that holds anything else.
 */
export async function copyTables(parts: CopyParts): Promise<CopyReport> {
  const { from, progress, tables, to } = parts;
  const isContinued = await beginOrContinue(parts);
  let copied = 0;
  for (const table of tables) {
    for await (const rows of pagesOf(from, table, await to.lastKey(table))) {
      await to.store(table, rows);
      copied += rows.length;
      progress(copied, 'copying', table.name);
    }
  }
  await to.continueIds(await from.issuedIds());
  const found = await compareTables(parts);
  if (found.differences.length === 0) await to.finish();
  return { isContinued, tables: tables.length, ...found };
}

async function beginOrContinue({ from, tables, to }: CopyParts): Promise<boolean> {
  const identity = await from.identity();
  if ((await from.begunFrom()) !== null) {
    throw new LedgerlensError('copy_refused', `${from.url} is an incomplete copy`);
  }
  const begunFrom = await to.begunFrom();
  if (begunFrom === identity) return true;
  if (begunFrom !== null) {
    throw new LedgerlensError('copy_refused', `${to.url} is an incomplete copy of another database`);
  }
  for (const table of tables.filter(({ name }) => name !== 'ledger_edition')) {
    if ((await to.rowsAfter(table, null, 1)).length === 0) continue;
    throw new LedgerlensError(
      'copy_refused',
      `${to.url} is not empty: there are rows in ${table.name}. Name a new database.`,
    );
  }
  await to.begin(identity);
  return false;
}

async function compareTables({ from, progress, tables, to }: CopyParts) {
  const differences: TableDifference[] = [];
  let rows = 0;
  for (const table of tables) {
    const digests: TableDigest[] = [];
    for (const end of [from, to]) {
      const digest = new DigestOfRows();
      for await (const page of pagesOf(end, table, null)) {
        for (const row of page) digest.add(row);
        progress(rows + digest.result.rows, 'comparing', table.name);
      }
      digests.push(digest.result);
    }
    const [ours, theirs] = digests as [TableDigest, TableDigest];
    rows += ours.rows;
    if (ours.digest !== theirs.digest || ours.rows !== theirs.rows) {
      differences.push({ table: table.name, from: ours, to: theirs });
    }
  }
  return { rows, differences };
}
