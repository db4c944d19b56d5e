import { createHash } from 'node:crypto';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import type { CopiedRow, CopiedTable, CopyEnd } from './copy-end.ts';

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

/** Bytes of a page, about: sources and bytecode are large, most rows of a ledger are not. */
const PAGE_BYTES = 4_000_000;
const FIRST_ROWS = 16;
const MAX_ROWS = 8_192;
/** Of a value that is no text or bytes. */
const VALUE_BYTES = 8;

/** The pages of a table after a key, each as large as the one before tells that it may be. */
async function* pagesOf(
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
    limit = Math.max(1, Math.min(fitting, limit * 4, MAX_ROWS));
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

const MODULUS = 1n << 256n;

/** What a table holds, in short: the same for the same rows, in whatever order they come. */
interface TableDigest {
  readonly rows: number;
  /** Hexadecimal. */
  readonly digest: string;
}

/**
 * Adds up the SHA-256 of each row.
 *
 * A sum, since the order of texts with U+0000 differs between databases; rows of a table differ from each other.
 */
class DigestOfRows {
  #rows = 0;
  #sum = 0n;

  add(row: CopiedRow): void {
    const hash = createHash('sha256');
    for (const value of row) {
      if (value === null) hash.update('n');
      else if (typeof value === 'string') hash.update(`t${Buffer.byteLength(value)}:`).update(value);
      else if (typeof value === 'object') hash.update(`b${value.byteLength}:`).update(value);
      else hash.update(`i${value};`);
    }
    this.#rows += 1;
    this.#sum += BigInt(`0x${hash.digest('hex')}`);
  }

  get result(): TableDigest {
    return { rows: this.#rows, digest: (this.#sum % MODULUS).toString(16).padStart(64, '0') };
  }
}
