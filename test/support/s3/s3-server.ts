import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';

/** The one key that s3rver knows. */
export const S3_KEY = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
export const S3_BUCKET = 'streams';

/** An S3-compatible server from npm with one bucket. */
export interface S3Server {
  readonly url: string;
  put(key: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Starts it on a free port, with its objects in a folder of its own. */
export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'ledgerlens-s3-'));
  const configureBuckets = [{ name: S3_BUCKET, configs: [] }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  listsFoldersAsS3(server);
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: S3_KEY,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    url,
    async put(key, bytes) {
      await client.send(new PutObjectCommand({ Bucket: S3_BUCKET, Key: key, Body: bytes }));
    },
    async close() {
      client.destroy();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** It does not tell folders that hold folders alone, nor counts them as keys, which S3 and MinIO do. */
function listsFoldersAsS3({ store }: S3rver): void {
  const list = store.listObjects.bind(store);
  store.listObjects = async (bucket, options) => {
    const { delimiter = '', maxKeys = 1000, prefix = '', startAfter = '' } = options;
    if (delimiter === '') return list(bucket, options);
    const all = await list(bucket, { prefix, startAfter, maxKeys: Number.POSITIVE_INFINITY });
    const folderOf = (key: string): string | null => {
      const slash = key.indexOf(delimiter, prefix.length);
      return slash < 0 ? null : key.slice(0, slash + delimiter.length);
    };
    const entries = new Map<string, (typeof all.objects)[number] | null>();
    for (const object of all.objects) {
      const folder = folderOf(object.key);
      entries.set(folder ?? object.key, folder === null ? object : null);
    }
    const page = [...entries].slice(0, maxKeys);
    let isAsked = false;
    return {
      objects: page.flatMap(([, object]) => object ?? []),
      commonPrefixes: page.flatMap(([name, object]) => (object === null ? [name] : [])),
      // First it asks whether to make a token, with a cipher that Node does not have any more; sources need none.
      get isTruncated() {
        const isTold = isAsked;
        isAsked = true;
        return isTold && entries.size > maxKeys;
      },
    };
  };
}
