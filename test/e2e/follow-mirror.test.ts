import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createImporter } from '../../src/mirror/ingest/run/importer.ts';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../../src/mirror/ingest/source/file-tree.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** A server follows another one over HTTP, as it is while the other imports. */
let folder = '';
let peer: TestServer;
let follower: TestServer | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-follow-'));
  peer = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
});

afterAll(async () => {
  await follower?.close();
  await peer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The peer gets the same network, so many record files long. */
async function grow(files: number): Promise<void> {
  const path = join(folder, `${files}`);
  await writeStream(writeIntoFolder(path), { files, transactionsPerFile: 60, keyBits: 1024, seed: 'follow' });
  const { ledger, lookup } = peer.store.mirror;
  const source = createDirectorySource(path, systemFileTree);
  const { refused } = await createImporter({ repository: ledger, lookup, source }).run();
  expect(refused).toEqual([]);
}

const answerOf = async (server: TestServer | null, path: string): Promise<string> =>
  (await fetch(`${server?.url}${path}`)).text();

async function expectSame(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const wanted = await answerOf(peer, path);
    await expect.poll(() => answerOf(follower, path), { message: path }).toBe(wanted);
    expect(wanted).not.toContain('_status');
  }
}

const PATHS = [
  '/api/v1/blocks?limit=100',
  '/api/v1/transactions?limit=100',
  '/api/v1/transactions?limit=100&account.id=0.0.1001&type=debit',
  '/api/v1/network/nodes',
  '/api/v1/network/stake',
  '/api/v1/network/exchangerate',
  '/api/v1/network/supply',
];

test('a server that follows another answers as it does, also what comes later, and says what that proves', async () => {
  await grow(20);
  const env = { MIRROR_FOLLOW: `${peer.url}/api/v1`, MIRROR_DIALECT: 'hiero' };
  follower = await startTestServer({ env, onDisk: true });
  await expectSame(PATHS);
  await grow(24);
  await expectSame(PATHS);
  const ids = JSON.parse(await answerOf(peer, '/api/v1/transactions?limit=100')) as {
    transactions: { transaction_id: string }[];
  };
  await expectSame(ids.transactions.map(({ transaction_id: id }) => `/api/v1/transactions/${id}`));
  const { ingest } = JSON.parse(await answerOf(follower, '/health/readiness')) as { ingest: unknown[] };
  expect(ingest).toMatchObject([{ source: peer.url, verification: 'none', gap: null }]);
});
