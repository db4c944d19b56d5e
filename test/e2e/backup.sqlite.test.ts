import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { aFolder } from '../kit/storage/a-folder.ts';
import { newestMigration, putLaterBuild } from '../support/later-build.ts';
import {
  runCommand,
  runCommandBeside,
  type ServeProcess,
  startServe,
  until,
} from '../support/serve-process.ts';

/** What `docs/operation.md` tells operators of backup, restore, upgrade and rollback. */
const folder = mkdtempSync(join(tmpdir(), 'backup-'));
const FILE = join(folder, 'ledgerlens.sqlite');
const ENV = { DATABASE_URL: `sqlite:${FILE}`, STATUS_PROBES_OFF: 'all' };
const status = (...words: string[]) => runCommandBeside(['status', ...words], ENV, folder);

let server: ServeProcess;
beforeAll(async () => {
  server = await startServe(ENV, folder);
  expect((await status('create', 'component', 'name=Before')).exitCode).toBe(0);
});
afterAll(async () => {
  await server.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

async function namesAt(url: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/v2/components.json`);
  const { components } = (await answer.json()) as { components: readonly { name: string }[] };
  return components.map(({ name }) => name);
}

describe('ledgerlens backup', () => {
  const COPY = join(folder, 'copy.sqlite');

  test('writes one moment of a database that a server writes to', async () => {
    const [backup, ...writes] = await Promise.all([
      runCommandBeside(['backup', COPY], ENV, folder),
      status('create', 'component', 'name=Meanwhile 1'),
      status('create', 'component', 'name=Meanwhile 2'),
    ]);
    expect(backup.errors).toBe('');
    expect(backup.output).toMatch(/^\S+copy\.sqlite: \d+ bytes\n$/);
    expect(writes.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(existsSync(`${COPY}.partial`)).toBe(false);
    const copy = openSqlite(COPY, { readonly: true });
    onTestFinished(() => void copy.close());
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.pragma('foreign_key_check')).toEqual([]);
  });

  test('replaces no file, and needs a database', async () => {
    const again = runCommand(['backup', COPY], ENV, folder);
    expect(again).toMatchObject({ exitCode: 1, errors: expect.stringContaining('already exists') });
    const nowhere = { DATABASE_URL: `sqlite:${join(folder, 'none', 'x.sqlite')}` };
    expect(runCommand(['backup', join(folder, 'y.sqlite')], nowhere, folder).errors).toContain(
      'There is no database yet',
    );
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  test('is restored by putting it in the place of the file of a stopped server', async () => {
    expect((await status('create', 'component', 'name=After')).exitCode).toBe(0);
    expect(await namesAt(server.url)).toContain('After');
    await server.stop('SIGTERM');
    for (const ending of ['', '-wal', '-shm']) rmSync(`${FILE}${ending}`, { force: true });
    cpSync(COPY, FILE);
    server = await startServe(ENV, folder);
    const names = await namesAt(server.url);
    expect(names).toContain('Before');
    expect(names).not.toContain('After');
    expect((await status('create', 'component', 'name=Later')).exitCode).toBe(0);
  });
});

describe('another version', () => {
  let later: string;
  beforeAll(() => {
    later = putLaterBuild(join(folder, 'later-build'), ['CREATE TABLE later (x TEXT) STRICT'], 'sqlite');
  });
  const THIS = newestMigration('sqlite');

  function aDatabase(): string {
    const path = join(aFolder(), 'old.sqlite');
    expect(runCommand(['migrate'], { DATABASE_URL: `sqlite:${path}` }, folder).exitCode).toBe(0);
    return path;
  }
  const versionOf = (path: string) => {
    const database = openSqlite(path);
    onTestFinished(() => void database.close());
    return database.pragma('user_version', { simple: true });
  };

  test('an upgrade brings the schema of an older one up to date at its start', async () => {
    const path = aDatabase();
    const newer = await startServe({ ...ENV, DATABASE_URL: `sqlite:${path}` }, folder, { main: later });
    onTestFinished(() => void newer.stop('SIGKILL'));
    await until('it is ready', async () => (await fetch(`${newer.url}/health/readiness`)).ok);
    await newer.stop('SIGTERM');
    expect(versionOf(path)).toBe(THIS + 1);
  });

  test('an older one refuses what a newer one has migrated, untouched, and takes the backup of before', () => {
    const path = aDatabase();
    const env = (file: string) => ({ DATABASE_URL: `sqlite:${file}` });
    expect(runCommand(['backup', `${path}.before`], env(path), folder).exitCode).toBe(0);
    expect(runCommand(['migrate'], env(path), folder, later).output).toContain(`Schema version ${THIS} -> `);
    expect(runCommand(['migrate'], env(path), folder)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('Start a newer Ledgerlens'),
    });
    expect(versionOf(path)).toBe(THIS + 1);
    expect(runCommand(['migrate'], env(`${path}.before`), folder).exitCode).toBe(0);
    expect(versionOf(`${path}.before`)).toBe(THIS);
  });
});
