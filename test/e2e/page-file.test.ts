import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSqliteLedgerRepository } from '../../src/mirror/ledger/ledger-repository.sqlite.ts';
import { openDatabase } from '../../src/storage/database-url.ts';
import { printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { FIRST_TIME, STEP, syntheticLedger } from '../bench/synthetic-ledger.ts';
import { runCommand, type ServeProcess, startServe, until } from '../support/serve-process.ts';

const TRANSACTIONS = 30_000;
const KILLS = 3;

let folder: string;
let url: string;
const running: ServeProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-pages-'));
  url = `sqlite:${join(folder, 'l.sqlite')}`;
  const database = openDatabase(url);
  database.pragma('synchronous = OFF');
  const repository = createSqliteLedgerRepository(database);
  for (const unit of syntheticLedger(TRANSACTIONS)) await repository.commitUnit(unit);
  database.close();
}, 120_000);

afterAll(async () => {
  const alive = running.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  await Promise.all(alive.map((server) => server.stop('SIGKILL')));
  rmSync(folder, { recursive: true, force: true });
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<ServeProcess> {
  const server = await startServe({ DATABASE_URL: url, ...environment }, folder);
  running.push(server);
  return server;
}

async function pageFileOf(server: ServeProcess): Promise<unknown> {
  const readiness = (await (await fetch(`${server.url}/health/readiness`)).json()) as Record<string, unknown>;
  return readiness['pageFile'];
}

const bytesWritten = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.rows'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

test('pages stay those of the database while servers that write the page file are killed', {
  timeout: 180_000,
}, async () => {
  const plain = await start({ MIRROR_PAGE_FILE: 'off' });
  expect(await pageFileOf(plain)).toBeUndefined();
  const expectSamePages = async (server: ServeProcess) => {
    for (const order of ['asc', 'desc']) {
      for (let row = 0; row < TRANSACTIONS; row += 3001) {
        const time = printTimestamp(FIRST_TIME + BigInt(row) * STEP);
        const path = `/api/v1/transactions?timestamp=${order === 'asc' ? 'gte' : 'lte'}:${time}&order=${order}&limit=70`;
        const [answer, expected] = await Promise.all([server, plain].map((each) => fetch(each.url + path)));
        expect(await answer?.text()).toBe(await expected?.text());
        expect(answer?.headers.get('etag')).toBe(expected?.headers.get('etag'));
      }
    }
  };
  for (let kill = 1; kill <= KILLS; kill++) {
    const server = await start();
    const before = bytesWritten();
    // A random moment of a write that has begun.
    await until('the page file grows', async () => bytesWritten() > before);
    await pause(Math.random() * 30);
    await server.stop('SIGKILL');
  }
  const server = await start();
  await expectSamePages(server);
  await until('the page file has all whole blocks', async () => {
    const { state } = (await pageFileOf(server)) as { readonly state: string };
    return state === 'current';
  });
  expect(await pageFileOf(server)).toEqual({
    state: 'current',
    transactions: TRANSACTIONS - (TRANSACTIONS % 64),
  });
  await expectSamePages(server);
  // Beside it another one has no part in the file.
  const second = await start();
  await until('the second one sees the first', async () => {
    const { state } = (await pageFileOf(second)) as { readonly state: string };
    return state === 'elsewhere';
  });
  await expectSamePages(second);
  expect(runCommand(['ledger', 'size'], { DATABASE_URL: url }, folder).output).toMatch(
    /The page file beside it has \d{8} bytes, \d{3}\.\d per transaction\./,
  );
  expect(await server.stop('SIGTERM')).toBe(0);
  await until('the second one takes over', async () => {
    const { state } = (await pageFileOf(second)) as { readonly state: string };
    return state === 'current';
  });
  await expectSamePages(second);
});
