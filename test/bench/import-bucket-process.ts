// Child process of the benchmarks: the importer on a database file, from a bucket or, without a URL, from a folder.
// Run: node --import tsx import-bucket-process.ts FOLDER DATABASE [URL]
import { createDirectorySource, createImporter, systemFileTree } from '../../src/mirror/ingest/index.ts';
import { createBucketSource } from '../../src/mirror/ingest/source/bucket/bucket-source.ts';
import type { StreamSource } from '../../src/mirror/ingest/units/stream-source.ts';
import { createSqliteMirrorStore } from '../../src/mirror/mirror-store.sqlite.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { systemClock } from '../../src/values/clock.ts';
import { S3_BUCKET, S3_KEY } from '../support/s3/s3-server.ts';

const SAMPLE_EVERY = 10_000;

const [folder = '', file = '', url = ''] = process.argv.slice(2);
process.env['AWS_ACCESS_KEY_ID'] = S3_KEY.accessKeyId;
process.env['AWS_SECRET_ACCESS_KEY'] = S3_KEY.secretAccessKey;
const database = openDatabase(file);
const { ledger, lookup } = createSqliteMirrorStore(database);
const memory: { transactions: number; mebibytes: number }[] = [];
let due = SAMPLE_EVERY;
const importer = createImporter({
  repository: ledger,
  lookup,
  source: url === '' ? createDirectorySource(folder, systemFileTree) : bucketAt(url),
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
if (refused.length > 0 || verification !== 'signatures')
  throw new Error(JSON.stringify({ refused, verification }));
process.stdout.write(
  JSON.stringify({ transactions, milliseconds, cpuMilliseconds: (system + user) / 1000, memory }),
);
process.exit(0);

function bucketAt(endpoint: string): StreamSource {
  const settings = {
    kind: 'bucket',
    name: `s3://${S3_BUCKET}`,
    content: 'records',
    bucket: S3_BUCKET,
    prefix: '',
    endpoint,
    region: null,
    access: 'auto',
  } as const;
  return createBucketSource(settings, {
    nodesAt: async (time) => (await ledger.nodeKeysAt(time))?.nodes ?? null,
    mode: 'signatures',
    consensusRatio: [1n, 3n],
    makeUnit: null,
    clock: systemClock,
    random: Math.random,
    environment: {},
  });
}
