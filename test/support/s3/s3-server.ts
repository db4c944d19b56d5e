import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

/** How s3rver names the file of an object. */
const OBJECT_FILE = '._S3rver_object';

/** Starts it on a free port, with its objects in a folder of its own. */
export async function startS3Server(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'ledgerlens-s3-'));
  const configureBuckets = [{ name: S3_BUCKET, configs: [] }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const bucket = join(directory, S3_BUCKET);
  listsAsS3(server, bucket);
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    async put(key, bytes) {
      const file = join(bucket, `${key}${OBJECT_FILE}`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
      await writeFile(`${file}.md5`, createHash('md5').update(bytes).digest('hex'));
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Lists what lies directly below a folder. By itself s3rver passes over folders that hold folders alone, does not count
 * folders as keys, and walks over all objects for each call; S3 and MinIO do not.
 */
function listsAsS3({ store }: S3rver, bucket: string): void {
  store.listObjects = async (_bucket, { maxKeys = 1000, prefix = '', startAfter = '' }) => {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const found = await readdir(join(bucket, folder), { withFileTypes: true }).catch(() => []);
    const names = found.flatMap((entry) => {
      if (entry.isDirectory()) return [`${folder}${entry.name}/`];
      return entry.name.endsWith(OBJECT_FILE) ? [`${folder}${entry.name.slice(0, -OBJECT_FILE.length)}`] : [];
    });
    const wanted = names
      .filter((name) => name.startsWith(prefix) && name > startAfter && !startAfter.startsWith(name))
      .sort();
    const page = wanted.slice(0, maxKeys);
    let isAsked = false;
    return {
      objects: await Promise.all(
        page
          .filter((name) => !name.endsWith('/'))
          .map(async (key) => {
            const { mtime, size } = await stat(join(bucket, `${key}${OBJECT_FILE}`));
            return { key, size, lastModifiedDate: mtime, metadata: { etag: '"none"' } };
          }),
      ),
      commonPrefixes: page.filter((name) => name.endsWith('/')),
      // First it asks whether to make a token, with a cipher that Node does not have any more; sources need none.
      get isTruncated() {
        const isTold = isAsked;
        isAsked = true;
        return isTold && wanted.length > maxKeys;
      },
    };
  };
}
