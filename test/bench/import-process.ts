// Child process of the benchmarks: the importer with its defaults on a database file, and nothing else.
// Run: node --import tsx import-process.ts FOLDER DATABASE [LEVEL]
import { createDirectorySource, createImporter, systemFileTree } from '../../src/mirror/ingest/index.ts';
import { createSqliteMirrorStore } from '../../src/mirror/mirror-store.sqlite.ts';
import { openDatabase } from '../../src/storage/open-database.ts';

const SAMPLE_EVERY = 100_000;

const [folder = '', file = '', level = 'signatures'] = process.argv.slice(2);
const database = openDatabase(file);
const { ledger, lookup } = createSqliteMirrorStore(database);
const memory: { transactions: number; mebibytes: number }[] = [];
let due = SAMPLE_EVERY;
const importer = createImporter({
  repository: ledger,
  lookup,
  source: createDirectorySource(folder, systemFileTree),
  progress: ({ transactions }) => {
    if (transactions < due) return;
    due += SAMPLE_EVERY;
    memory.push({ transactions, mebibytes: Math.round(process.memoryUsage.rss() / 2 ** 20) });
  },
});
const started = performance.now();
const used = process.cpuUsage();
const { transactions, refused, verification } = await importer.run();
const milliseconds = performance.now() - started;
const { system, user } = process.cpuUsage(used);
database.close();
if (refused.length > 0 || verification !== level) throw new Error(JSON.stringify({ refused, verification }));
process.stdout.write(
  JSON.stringify({ transactions, milliseconds, cpuMilliseconds: (system + user) / 1000, memory }),
);
