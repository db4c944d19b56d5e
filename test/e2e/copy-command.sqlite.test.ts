import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { cleanEnvironment, runCommand, startServe } from '../support/serve-process.ts';

/** What `docs/operation.md` tells operators of moving between databases and of a portable backup. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'copy-'));
const SOURCE = join(folder, 'source.sqlite');
const ENV = { DATABASE_URL: `sqlite:${SOURCE}`, STATUS_PROBES_OFF: 'all' };
const check = (url: string) => runCommand(['check'], { ...ENV, DATABASE_URL: url }, folder);
const NOT_COMPLETE = {
  exitCode: 1,
  output: expect.stringMatching(/^database +WRONG .*is an incomplete copy/m),
};
const copy = (from: string, to: string) => runCommand(['copy', '--from', from, '--to', to], ENV, folder);

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
  const ledger = join(folder, 'ledger');
  expect(runCommand(['generate', ledger, '--transactions', '700'], ENV, folder).exitCode).toBe(0);
  expect(runCommand(['import', ledger], ENV, folder).exitCode).toBe(0);
  runCommand(['status', 'create', 'component', 'name=Moved'], ENV, folder);
  addOddRows();
}, 60_000);
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Texts with U+0000 also in a key, extremes of int64, empty bytes; an id that was given and deleted. */
function addOddRows(): void {
  const database = openSqlite(SOURCE);
  const hash = Buffer.alloc(32, 7);
  database.prepare("insert into code values (x'', x'', null), (?, ?, x'00ff')").run(hash, hash);
  database.prepare('insert into source values (?, ?, ?)').run(hash, hash, 'a\0b\ue0fe0 "\\ 𝕏');
  database.exec(`
    insert into compiled_contract select 9, 'solc', '0.8', 'Solidity', 'C', 'C', '{}', '{}', code_hash, '{}', code_hash, '{}', null, null, null, null, code_hash
      from code where code_hash <> x''`);
  const source = database.prepare('insert into compiled_contract_source values (9, ?, ?)');
  for (const path of ['a', 'a\0', 'a\0b', 'ab', 'a\ue0fe', '\uffff']) source.run(path, hash);
  database.exec(`
    insert into rate_observation values (9223372036854775807, x''), (-9223372036854775808, x'00');
    insert into status_downtime (seq, started_at, ended_at) values (40, 1, 2);
    delete from status_downtime where seq = 40`);
  database.close();
}

describe('ledgerlens copy', () => {
  test('moves everything into PostgreSQL and back, and ids continue', async () => {
    const url = await cluster.createDatabase();
    const there = copy(`sqlite:${SOURCE}`, url);
    expect(there).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^\d{4,} rows of \d+ tables copied/),
    });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      `insert into status_downtime (started_at, ended_at) values (3, 4) returning seq`,
    );
    expect(rows).toEqual([{ seq: '41' }]);
    const { rows: made } = await client.query(
      'insert into contract (creation_code_hash, runtime_code_hash) select code_hash, code_hash from code limit 1 returning id',
    );
    expect(made).toEqual([{ id: '1' }]);
    await client.query('delete from contract');
    await client.query('delete from status_downtime');
    await client.end();
    const back = join(folder, 'back.sqlite');
    expect(copy(url, `sqlite:${back}`).exitCode).toBe(0);
    expect(contentsOf(back)).toEqual(contentsOf(SOURCE));
    const database = openSqlite(back);
    onTestFinished(() => void database.close());
    expect(database.pragma('foreign_key_check')).toEqual([]);
    const insert = database.prepare('insert into status_downtime (started_at, ended_at) values (3, 4)');
    expect(insert.run().lastInsertRowid).toBe(42);
  }, 60_000);

  test('leaves out no table of PostgreSQL but those of running processes', async () => {
    const url = await cluster.createDatabase();
    expect(runCommand(['migrate'], { DATABASE_URL: url }, folder).exitCode).toBe(0);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1",
    );
    await client.end();
    const copied = Object.keys(contentsOf(SOURCE));
    expect(rows.map(({ name }) => name).filter((name) => !copied.includes(name))).toEqual([
      'import_fence',
      'import_lease',
      'schema_version',
      'status_keeper',
      'status_replica',
      'status_sample',
    ]);
    expect(copied.filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
  });

  test('is continued after SIGKILL; until then no server takes the target', async () => {
    const url = await cluster.createDatabase();
    const killed = spawn(process.execPath, [MAIN, 'copy', '--from', `sqlite:${SOURCE}`, '--to', url], {
      env: cleanEnvironment(ENV),
      stdio: 'ignore',
    });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await expect
      .poll(
        () =>
          client.query('select from tx limit 1').then(
            ({ rowCount }) => rowCount,
            () => 0,
          ),
        {
          interval: 1,
          timeout: 20_000,
        },
      )
      .toBe(1);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const { rows } = await client.query<{ count: string }>('select count(*) from copy_progress');
    expect(Number(rows[0]?.count)).toBeGreaterThan(1);
    await client.end();
    const serve = runCommand(['serve'], { ...ENV, DATABASE_URL: url }, folder);
    expect(serve).toMatchObject({ exitCode: 1, errors: expect.stringContaining('incomplete copy') });
    expect(check(url)).toMatchObject(NOT_COMPLETE);
    expect(copy(`sqlite:${SOURCE}`, url)).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('continued and compared'),
    });
  }, 60_000);

  test('refuses a target that holds something, and databases that a server has open', async () => {
    const other = join(folder, 'other.sqlite');
    runCommand(['status', 'create', 'component', 'name=Here'], { DATABASE_URL: `sqlite:${other}` }, folder);
    expect(copy(`sqlite:${SOURCE}`, `sqlite:${other}`)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('is not empty: there are rows in status_'),
    });
    const url = await cluster.createDatabase();
    const server = await startServe({ ...ENV, DATABASE_URL: url }, folder);
    onTestFinished(() => server.stop('SIGKILL').then(() => undefined));
    expect(copy(`sqlite:${SOURCE}`, url).errors).toContain('is in use');
    expect(copy(url, `sqlite:${join(folder, 'new.sqlite')}`).errors).toContain('is in use');
    const open = openSqlite(SOURCE);
    open.prepare('select count(*) from tx').get();
    expect(copy(`sqlite:${SOURCE}`, `sqlite:${join(folder, 'new.sqlite')}`).errors).toContain('is in use');
    open.close();
  }, 60_000);

  test('says which tables differ when somebody changed the target meanwhile, and on what it cannot work', async () => {
    const target = join(folder, 'changed.sqlite');
    expect(copy(`sqlite:${SOURCE}`, `sqlite:${target}`).exitCode).toBe(0);
    const database = openSqlite(target);
    database.exec(`
      create table copy_progress (table_name text primary key, last_key text not null);
      insert into copy_progress select '', lower(hex(ledger_id)) from ledger_edition;
      insert into copy_progress select 'tx', json_array(json_array('i', cast(max(consensus_ts) as text))) from tx;
      update tx set charged_fee = charged_fee + 1 where consensus_ts = (select min(consensus_ts) from tx)`);
    for (const table of Object.keys(contentsOf(target)).filter(
      (name) => !['tx', 'copy_progress'].includes(name),
    )) {
      database.pragma('foreign_keys = off');
      database.exec(`delete from ${table}`);
    }
    database.close();
    expect(copy(`sqlite:${SOURCE}`, `sqlite:${target}`)).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(
        /^tx differs: \d+ rows \w+, now \d+ rows \w+\nOne of the databases changed/m,
      ),
    });
    expect(check(`sqlite:${target}`)).toMatchObject(NOT_COMPLETE);
    expect(copy(`sqlite:${join(folder, 'none.sqlite')}`, `sqlite:${target}`).errors).toContain(
      'nothing to copy',
    );
    expect(copy('mysql://x', `sqlite:${target}`)).toMatchObject({
      errors: expect.stringContaining('--from must be'),
    });
    expect(runCommand(['copy'], ENV, folder).errors).toContain('--from or --to');
  }, 60_000);
});

function contentsOf(path: string): Record<string, unknown[]> {
  const database = openSqlite(path);
  const names = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[];
  const rows = names.map((name) => [
    name,
    database.prepare(`select * from ${name}`).safeIntegers(true).all(),
  ]);
  database.close();
  return Object.fromEntries(rows);
}
