/**
 * Imports a folder into a database, printing a line per stored unit, for tests that kill it.
 *
 * Run: node --import tsx import-process.ts FOLDER DATABASE-URL
 */

import { createImporter } from '../../../../src/mirror/ingest/run/importer.ts';
import { createDirectorySource } from '../../../../src/mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../../../../src/mirror/ingest/source/file-tree.ts';
import { openStoreAt } from '../../../support/test-store.ts';

const [folder = '', url = ''] = process.argv.slice(2);
const store = await openStoreAt(url);
const { ledger, lookup } = store.mirror;
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
await store.close();
process.exitCode = report.refused.length === 0 ? 0 : 1;
