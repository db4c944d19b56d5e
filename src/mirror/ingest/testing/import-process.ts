/**
 * Imports a folder into a database file, printing a line per stored unit, for tests that kill it.
 *
 * Run: node --import tsx import-process.ts FOLDER DATABASE
 */
import { openDatabase } from '../../../storage/open-database.ts';
import { createSqliteMirrorStore } from '../../mirror-store.sqlite.ts';
import { createDirectorySource, createImporter, systemFileTree } from '../index.ts';

const [folder = '', file = ''] = process.argv.slice(2);
const database = openDatabase(file);
const { ledger, lookup } = createSqliteMirrorStore(database);
let stored = 0;
const importer = createImporter({
  repository: ledger,
  lookup,
  source: createDirectorySource(folder, systemFileTree),
  progress: ({ name, transactions }) => {
    if (transactions > stored) process.stdout.write(`${name}\n`);
    stored = transactions;
  },
});
const report = await importer.run();
database.close();
process.exitCode = report.refused.length === 0 ? 0 : 1;
