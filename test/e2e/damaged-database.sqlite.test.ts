import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { runCommand } from '../support/serve-process.ts';
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

test('check --database finds what plain check cannot: a changed row, lost bytes, a lost reference', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ledger.sqlite');
  const stream = join(folder, 'stream');
  await writeStream(writeIntoFolder(stream), { files: 3, keyBits: 1024, seed: 'check' });
  const run = (...words: string[]) => runCommand(words, { DATABASE_URL: `sqlite:${path}` }, folder);
  expect(run('import', stream).exitCode).toBe(0);
  const whole = run('check', '--database');
  expect([whole.exitCode, whole.output]).toEqual([
    0,
    expect.stringMatching(/ledger rows +ok .* of 3 units, and the state, compared/),
  ]);

  const changed = (...changes: string[]): string => {
    const database = openSqlite(path);
    database.pragma('foreign_keys = OFF');
    for (const each of changes) expect(database.prepare(each).run().changes).toBeGreaterThan(0);
    database.close();
    expect(run('check').exitCode).toBe(0);
    const { exitCode, output } = run('check', '--database', '--json');
    expect(exitCode).toBe(1);
    return output;
  };
  const first = '(select min(consensus_ts) from transfer)';
  expect(changed(`update transfer set amount = amount + 1 where consensus_ts = ${first}`)).toMatch(
    /"ok": ?false,[^}]*differs from the imported bytes in transfer; restore a backup/,
  );
  expect(
    changed(
      `update transfer set amount = amount - 1 where consensus_ts = ${first}`,
      `delete from tx_source where consensus_ts = ${first}`,
    ),
  ).toContain('differs from the imported bytes in tx_source; restore');
  expect(
    changed(`insert into contract (id, creation_code_hash, runtime_code_hash) values (1, x'00', x'01')`),
  ).toMatch(/rows refer to missing ones, the first of contract to code/);
});
