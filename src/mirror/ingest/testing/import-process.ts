/**
 * Imports a folder into a database file, printing a line per stored unit, for tests that kill it.
 *
 * Run: node --import tsx import-process.ts FOLDER DATABASE
 */
import { openDatabase } from '../../../storage/database-url.ts';
import { createSqliteLedgerRepository } from '../../ledger/ledger-repository.sqlite.ts';
import { createDirectorySource, createImporter, createSqliteLedgerLookup, systemFileTree } from '../index.ts';

const [folder = '', file = ''] = process.argv.slice(2);
const database = openDatabase(`sqlite:${file}`);
let stored = 0;
const importer = createImporter({
  repository: createSqliteLedgerRepository(database),
  lookup: createSqliteLedgerLookup(database),
  source: createDirectorySource(folder, systemFileTree),
  progress: ({ name, transactions }) => {
    if (transactions > stored) process.stdout.write(`${name}\n`);
    stored = transactions;
  },
});
const report = await importer.run();
database.close();
process.exitCode = report.refused.length === 0 ? 0 : 1;
