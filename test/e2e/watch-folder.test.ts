import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { runCommand, type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { ledgerDump } from '../support/sqlite-file.ts';
import { openFileStore } from '../support/test-store.ts';

/** A network writes record files into a folder that a running server watches. */
const FILES = 8;

let folder = '';
let server: ServeProcess | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-watch-'));
  await writeStream(writeIntoFolder(join(folder, 'network')), { files: FILES, keyBits: 1024, seed: 'watch' });
});

afterEach(async () => {
  await server?.stop('SIGKILL');
  server = null;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lets files of the network appear in the watched folder: units `from` to before `to`. */
function appear(from: number, to: number): void {
  const paths = readdirSync(join(folder, 'network'), { recursive: true, encoding: 'utf8' });
  const instantOf = (path: string) => /\d{4}-\d\d-\d\dT[\d_.]+Z/.exec(path)?.[0];
  const instants = [...new Set(paths.flatMap((path) => instantOf(path) ?? []))].sort().slice(from, to);
  const wanted = paths.filter(
    (path) => path === 'address_book.bin' || instants.includes(instantOf(path) ?? ''),
  );
  for (const path of wanted) {
    mkdirSync(dirname(join(folder, 'watched', path)), { recursive: true });
    cpSync(join(folder, 'network', path), join(folder, 'watched', path));
  }
}

async function source(running: ServeProcess): Promise<Record<string, unknown>> {
  const answer = await fetch(`${running.url}/health/readiness`);
  expect(answer.status).toBe(200);
  const { ingest } = (await answer.json()) as { ingest: Record<string, unknown>[] };
  return ingest[0] ?? {};
}

async function newest(running: ServeProcess): Promise<string | undefined> {
  const answer = await fetch(`${running.url}/api/v1/transactions?limit=1`);
  const { transactions } = (await answer.json()) as { transactions: { consensus_timestamp: string }[] };
  return transactions[0]?.consensus_timestamp;
}

/** Consensus timestamp of the newest transaction. */
async function endOf(path: string): Promise<string> {
  const store = await openFileStore(path);
  const end = await store.mirror.reader.newestConsensusEnd();
  await store.close();
  return printTimestamp(end ?? expect.fail('nothing was imported'));
}

test('units are served as they come, over a restart, and the ledger is that of one import', {
  timeout: 120_000,
}, async () => {
  const once = `sqlite:${join(folder, 'once.sqlite')}`;
  const imported = runCommand(['import', join(folder, 'network')], { DATABASE_URL: once }, folder);
  expect(imported.exitCode, imported.errors).toBe(0);
  const end = await endOf(join(folder, 'once.sqlite'));
  const database = `sqlite:${join(folder, 'watched.sqlite')}`;
  const environment = {
    DATABASE_URL: database,
    MIRROR_WATCH: join(folder, 'watched'),
    MIRROR_WATCH_MS: '50',
  };
  server = await startServe(environment, folder);
  await until('the missing folder is told', async () =>
    String((await source(server as ServeProcess))['error']).includes('There is no file or folder'),
  );
  appear(0, 3);
  let first: string | undefined;
  await until('the first units are stored', async () => {
    const isIdle = (await source(server as ServeProcess))['state'] === 'idle';
    first = await newest(server as ServeProcess);
    return isIdle && first !== undefined;
  });
  appear(3, 4);
  await until('the next unit is served', async () => (await newest(server as ServeProcess)) !== first);
  // Unit 4 is late: what follows it must wait.
  appear(5, 6);
  await until('the gap is told', async () => (await source(server as ServeProcess))['state'] === 'gap');
  expect(await server.stop('SIGTERM')).toBe(0);

  appear(4, 5);
  server = await startServe(environment, folder);
  appear(6, FILES);
  await until('the last unit is served', async () => (await newest(server as ServeProcess)) === end);
  await until(
    'nothing is left to do',
    async () => (await source(server as ServeProcess))['state'] === 'idle',
  );
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(ledgerDump(database)).toBe(
    ledgerDump(once).replaceAll(join(folder, 'network'), join(folder, 'watched')),
  );
});
