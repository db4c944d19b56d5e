import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { startTestServer } from '../support/test-server.ts';

test('a read that finds the file damaged is answered with 503, and the server is not ready from then on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-damage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ledger.sqlite');
  const env = { DATABASE_URL: `sqlite:${path}` };
  await (await startTestServer({ env })).close();
  const database = openSqlite(path);
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  const page = database
    .prepare("select rootpage from sqlite_master where name = 'tx'")
    .pluck()
    .get() as number;
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageBytes, 0xff), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(file);

  const server = await startTestServer({ env });
  onTestFinished(() => server.close());
  const get = async (target: string) => {
    const answer = await fetch(server.url + target);
    return [answer.status, await answer.text()] as const;
  };
  expect(await get('/health/readiness')).toEqual([
    200,
    expect.stringContaining('"database":{"writes":"working"}'),
  ]);
  expect(await get('/api/v1/transactions')).toEqual([
    503,
    expect.stringContaining('the database file is damaged'),
  ]);
  expect(await get('/health/readiness')).toEqual([
    503,
    expect.stringContaining('"database":{"writes":"working","damage":"the database file is damaged"}'),
  ]);
  expect((await get('/health/liveness'))[0]).toBe(200);
});
