import { expect, test } from 'vitest';
import { type MemoryFileTree, writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { ledgerDump } from '../../../../test/support/sqlite-file.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import { createLedgerRepository } from '../../ledger/ledger-repository.sql.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import { createLedgerLookup } from '../ledger-lookup.sql.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { createImporter } from './importer.ts';

/** Imports into a new ledger; tells the size of each commit and everything that is stored. */
async function importTree(tree: MemoryFileTree, sharesCommits: boolean) {
  const database = openDatabase(':memory:');
  try {
    const store = createLedgerRepository(sqliteSql(database));
    const commits: number[] = [];
    const repository: LedgerRepository = {
      ...store,
      commitUnits(units) {
        commits.push(units.length);
        return store.commitUnits(units);
      },
    };
    const report = await createImporter({
      repository,
      lookup: createLedgerLookup(sqliteSql(database)),
      source: createDirectorySource('/stream', tree),
      options: { sharesCommits },
    }).run();
    return { report, commits, dump: ledgerDump(database) };
  } finally {
    database.close();
  }
}

test('a ledger is the same whether its units shared commits or not, over a snapshot of balances too', async () => {
  // A file is two seconds: the first snapshot is due two minutes after the first.
  const { tree, written } = await writtenStream({ files: 64, transactionsPerFile: 40, accounts: 200 });
  const shared = await importTree(tree, true);
  const single = await importTree(tree, false);
  expect(shared.report).toMatchObject({ units: 64, transactions: written.transactions, refused: [] });
  expect(shared.report).toEqual(single.report);
  expect(single.commits).toEqual(Array(64).fill(1));
  expect(shared.commits.length).toBeLessThan(12);
  expect(shared.dump).toContain('balance_snapshot\n{');
  // Compared as a truth value: a difference of two such texts would take minutes to print.
  expect(shared.dump === single.dump).toBe(true);
});
