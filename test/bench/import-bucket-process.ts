// Child process of the benchmarks: the importer on a database file, from a bucket or, without a URL, from a folder.
// Run: node --import tsx import-bucket-process.ts FOLDER DATABASE [URL]

import { createBucketSource } from '../../src/mirror/ingest/source/bucket/bucket-source.ts';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../../src/mirror/ingest/source/file-tree.ts';
import type { StreamSource } from '../../src/mirror/ingest/units/stream-source.ts';
import type { MirrorStore } from '../../src/mirror/mirror-store.ts';
import { systemClock } from '../../src/values/clock.ts';
import { S3_BUCKET, S3_KEY } from '../support/s3/s3-server.ts';
import { printTimedImport } from './timed-import.ts';

const [folder = '', file = '', url = ''] = process.argv.slice(2);
process.env['AWS_ACCESS_KEY_ID'] = S3_KEY.accessKeyId;
process.env['AWS_SECRET_ACCESS_KEY'] = S3_KEY.secretAccessKey;
await printTimedImport({
  file,
  level: 'signatures',
  sampleEvery: 10_000,
  source: (ledger) => (url === '' ? createDirectorySource(folder, systemFileTree) : bucketAt(url, ledger)),
});
// Connections of the bucket are kept open.
process.exit(0);

function bucketAt(endpoint: string, ledger: MirrorStore['ledger']): StreamSource {
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
