import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../src/store/database-url.ts';
import { backendOf } from '../../src/store/open-store.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import type { WrittenStream } from '../../tools/network/write-stream.ts';
import { runCommandBeside, type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { openStoreAt } from '../support/test-store.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';

/** Several processes import into one database. */
const FILES = 40;
const TIMEOUT = { timeout: 120_000 };
let folder = '';
let stream = '';
let written: WrittenStream;
const servers: ServeProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-imports-'));
  stream = join(folder, 'stream');
  written = await writeStream(writeIntoFolder(stream), {
    files: FILES,
    keyBits: 1024,
    transactionsPerFile: 60,
  });
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop('SIGKILL')));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const countIn = (url: string) => {
  const database = parseDatabaseUrl(url);
  return backendOf(database).examine(
    database,
    async ({ mirror }) => (await mirror?.report.size())?.transactions,
  );
};

test(
  'three imports at once end well or say that another one runs, and the ledger is whole',
  TIMEOUT,
  async () => {
    const url = await databaseUrlOf(join(folder, 'commands.sqlite'));
    const runs = await Promise.all(
      [1, 2, 3].map(() => runCommandBeside(['import', stream], { DATABASE_URL: url }, folder)),
    );
    const success = /units? with \d+ transactions? imported/;
    expect(runs.filter(({ exitCode, output }) => exitCode === 0 && success.test(output))).not.toEqual([]);
    for (const { errors, exitCode } of runs) {
      // On a slow machine the first one takes longer than the others wait.
      if (exitCode !== 0)
        expect([exitCode, errors]).toEqual([1, expect.stringContaining('Another import is running')]);
    }
    expect(await countIn(url)).toBe(written.transactions);
  },
);

test('an import that another one keeps waiting says so', TIMEOUT, async () => {
  const url = await databaseUrlOf(join(folder, 'held.sqlite'));
  const store = await openStoreAt(url);
  const lease = await store.mirror.importLock.take();
  expect(lease).not.toBeNull();
  const { errors, exitCode } = await runCommandBeside(['import', stream], { DATABASE_URL: url }, folder);
  expect([exitCode, errors]).toEqual([
    1,
    expect.stringContaining('Another import is running on this database'),
  ]);
  await lease?.release();
  await store.close();
});

test('two servers that watch one folder store it once and see no gap', TIMEOUT, async () => {
  const url = await databaseUrlOf(join(folder, 'watched.sqlite'));
  const environment = { DATABASE_URL: url, MIRROR_WATCH: stream, MIRROR_WATCH_MS: '50' };
  servers.push(...(await Promise.all([1, 2].map(() => startServe(environment, folder)))));
  const states = () =>
    Promise.all(
      servers.map(async (server) => {
        const readiness = (await (await fetch(`${server.url}/health/readiness`)).json()) as {
          readonly ingest: readonly Readonly<Record<string, unknown>>[];
        };
        return readiness.ingest[0] ?? {};
      }),
    );
  const last = `${written.last / 1_000_000_000n}.${String(written.last % 1_000_000_000n).padStart(9, '0')}`;
  await until(
    'both show the last unit',
    async () => {
      const all = await states();
      return all.length > 0 && all.every((state) => state['lastConsensusTimestamp'] === last);
    },
    60_000,
  );
  for (const state of await states()) expect(state).toMatchObject({ gap: null });
  for (const server of servers) {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).not.toMatch(/^ledgerlens_ingest_rejections_total\{/m);
    expect(server.log()).not.toContain('import stopped');
  }
  expect(await countIn(url)).toBe(written.transactions);
});
