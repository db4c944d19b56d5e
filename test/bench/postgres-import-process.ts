// Child process of the benchmarks: the importer with its defaults on a PostgreSQL database, and nothing else.
// Run: node --import tsx postgres-import-process.ts FOLDER DATABASE_URL

import { createImporter } from '../../src/mirror/ingest/run/importer.ts';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../../src/mirror/ingest/source/file-tree.ts';
import { createPostgresMirrorStore } from '../../src/mirror/mirror-store.postgres.ts';
import { openPostgresPool } from '../../src/storage/postgres/postgres-pool.ts';
import { postgresSql } from '../../src/storage/postgres/postgres-sql.ts';
import { serverWork, workSince } from '../support/server-work.ts';

const [folder = '', url = ''] = process.argv.slice(2);
const pool = openPostgresPool(url);
const { ledger, lookup } = createPostgresMirrorStore(postgresSql(pool), 'bench');
const importer = createImporter({
  repository: ledger,
  lookup,
  source: createDirectorySource(folder, systemFileTree),
});
await pool.query('select 1');
const before = serverWork(process.pid, url);
const started = performance.now();
const { refused, transactions, verification } = await importer.run();
const milliseconds = performance.now() - started;
const cpuMilliseconds = workSince(before, serverWork(process.pid, url)).ran * 1000;
await pool.end();
if (refused.length > 0 || verification !== 'signatures') {
  throw new Error(JSON.stringify({ refused, verification }));
}
process.stdout.write(JSON.stringify({ transactions, milliseconds, cpuMilliseconds, memory: [] }));
