import { openDatabase } from '../../../../storage/database-url.ts';
import type { SqliteDatabase } from '../../../../storage/sqlite.ts';
import { fixtureUnit } from '../../../ledger/fixture-unit.ts';
import { createSqliteLedgerReader } from '../../../ledger/ledger-reader.sqlite.ts';
import { createSqliteLedgerRepository } from '../../../ledger/ledger-repository.sqlite.ts';
import type { LedgerRepository } from '../../../ledger/ledger-repository.ts';
import type { LedgerTransaction } from '../../../ledger/rows.ts';
import type { TransactionFilter, TransactionPage } from '../../transaction-filter.ts';
import {
  createSqliteTransactionRepository,
  type Dialect,
  type LocalTransactionRepository,
} from '../../transaction-repository.sqlite.ts';
import { type PageDisk, systemPageDisk } from '../page-disk.ts';
import { PageFile } from '../page-file.ts';
import { createSqlitePageSource } from '../page-source.sqlite.ts';
import { takeWriterLock } from '../writer-lock.sqlite.ts';

/** Small enough that a few rows fill blocks and segments. */
export const SMALL_LAYOUT = { rowsPerBlock: 4, blocksPerSegment: 3 };

const MAX_INT64 = 9_223_372_036_854_775_807n;

/** A list of the newest rows, or what is given instead. */
export function aFilter(given: Partial<TransactionFilter> = {}): TransactionFilter {
  return {
    lower: 0n,
    upper: MAX_INT64,
    excludedTimes: new Set(),
    order: 'desc',
    limit: 25,
    isSuccessful: null,
    types: null,
    direction: null,
    accounts: null,
    ...given,
  };
}

/** Everything that an answer is made of. */
export function contentsOf(page: TransactionPage): Readonly<Record<string, unknown>> {
  const written = Buffer.alloc(page.rows.byteLength + 3, '#');
  page.rows.writeTo(written, 2);
  return {
    ...page,
    rows: page.rows.text(),
    // What lies around the rows must stay as it was.
    written: written.toString('latin1'),
  };
}

/** A ledger with a page file beside it. */
export interface PagedLedger {
  readonly database: SqliteDatabase;
  readonly ledger: LedgerRepository;
  readonly transactions: LocalTransactionRepository;
  readonly warnings: string[];
  edition(): string;
  store(name: string, transactions: readonly LedgerTransaction[]): Promise<void>;
  open(given?: { readonly disk?: PageDisk; readonly dialect?: Dialect }): PageFile;
  close(): void;
}

/** @param folder of the page file */
export function createPagedLedger(folder: string, databaseUrl = 'sqlite::memory:'): PagedLedger {
  const database = openDatabase(databaseUrl);
  const ledger = createSqliteLedgerRepository(database);
  const reader = createSqliteLedgerReader(database);
  const warnings: string[] = [];
  return {
    database,
    ledger,
    transactions: createSqliteTransactionRepository(database, 'spec'),
    warnings,
    edition: () => reader.edition(),
    async store(name, transactions) {
      await ledger.commitUnit(fixtureUnit(name, { transactions }));
    },
    open: ({ dialect = 'spec', disk = systemPageDisk } = {}) =>
      new PageFile({
        source: createSqlitePageSource(database, dialect),
        disk,
        folder,
        takeLock: takeWriterLock,
        log: { warn: (_fields, message) => void warnings.push(message) },
        layout: SMALL_LAYOUT,
      }),
    close: () => void database.close(),
  };
}

/** Writes until nothing is missing. */
export async function writeAll(pageFile: PageFile): Promise<void> {
  // The first look behind a change of rows says nothing is missing, so that rewriting may go on.
  for (let idle = 0; idle < 2; ) idle = (await pageFile.advance()) ? 0 : idle + 1;
}
