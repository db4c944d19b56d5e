import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../kit/storage/a-folder.ts';
import { putLaterBuild } from '../support/later-build.ts';
import { isLeftOut } from '../support/left-out.ts';
import { startPostgres } from '../support/postgres.ts';
import { query } from '../support/postgres-rows.ts';
import { notProcessOne, type ProcessOne, startProcessOne } from '../support/process-one.ts';
import { ensureBuilt, freePort, runCommand, until } from '../support/serve-process.ts';
import { isWriteLocked } from '../support/sqlite-file.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** 128 and the number of SIGTERM: what the default action ends with. */
const TERMINATED = 143;

async function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<ProcessOne> {
  ensureBuilt();
  const started = await startProcessOne(
    args,
    { PORT: String(await freePort()), DRAIN_SECONDS: '300', ...env },
    folder,
  );
  onTestFinished(() => started.kill());
  return started;
}

describe.skipIf(isLeftOut(notProcessOne()))('a stop signal to process 1 during its start', () => {
  test('is handled before any other module is loaded', async () => {
    const folder = aFolder({
      'stall.mjs': `export const load = (url, context, next) =>
        url.startsWith('node:') || url === ${JSON.stringify(pathToFileURL(MAIN).href)} ? next(url, context) : new Promise(() => {});`,
    });
    const hook = `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(join(folder, 'stall.mjs')).href)});
      setInterval(() => {}, 1000);`;
    writeFileSync(join(folder, 'register.mjs'), hook);
    const stalled = await start(['--import', join(folder, 'register.mjs'), MAIN, 'serve'], {}, folder);
    await stalled.untilHandling();
    expect(await stalled.stop('SIGTERM')).toBe(TERMINATED);
  });

  test.each([0, 200, 500, 1000, 2000])('%i ms after the first statement ends it', async (ms) => {
    const server = await start([MAIN, 'serve'], {}, aFolder());
    await server.untilHandling();
    await pause(ms);
    // 0: by then it served. Without a connection it has nothing to drain for 300 s.
    expect([TERMINATED, 0]).toContain(await server.stop('SIGTERM'));
  });

  test('ends it in the middle of a migration of SQLite', async () => {
    const folder = aFolder();
    const database = join(folder, 'data/ledgerlens.sqlite');
    expect(runCommand(['migrate'], {}, folder).exitCode).toBe(0);
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n;';
    const main = putLaterBuild(join(folder, 'later'), [endless], 'sqlite');
    const server = await start([main, 'serve'], {}, folder);
    await until('it migrates', async () => isWriteLocked(database));
    expect([await server.stop('SIGTERM'), server.log()]).toEqual([TERMINATED, '']);
    expect(isWriteLocked(database)).toBe(false);
    expect(runCommand(['migrate'], {}, folder).output).toContain('nothing to do');
  });

  test('ends it in the middle of a migration of PostgreSQL, and the migration with it', async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const url = await cluster.createMigrated();
    const folder = aFolder();
    const main = putLaterBuild(join(folder, 'later'), ['select pg_sleep(600);']);
    const server = await start([main, 'serve'], { DATABASE_URL: url }, folder);
    const isMigrating = async () => {
      const text =
        "select 1 from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()";
      return (await query(url, text)).length > 0;
    };
    await until('it migrates', isMigrating);
    expect([await server.stop('SIGTERM'), server.log()]).toEqual([TERMINATED, '']);
    await until('the database has noticed', async () => !(await isMigrating()));
  });

  test('migrates apart what is there, and reports each migration once', async () => {
    const folder = aFolder();
    expect(runCommand(['migrate'], {}, folder).exitCode).toBe(0);
    const later = ['create table later (x);', 'drop table later;'];
    const main = putLaterBuild(join(folder, 'later'), later, 'sqlite');
    const server = await start([main, 'serve'], {}, folder);
    await until('it serves', async () => server.log().includes('serves http'));
    expect(server.log().match(/database migrated: \d+-later\.sql/g)).toHaveLength(2);
    expect(await server.stop('SIGTERM')).toBe(0);
  });

  test('ends with what a migration apart reported', async () => {
    const folder = aFolder();
    expect(runCommand(['migrate'], {}, folder).exitCode).toBe(0);
    const main = putLaterBuild(join(folder, 'broken'), ['drop table nowhere;'], 'sqlite');
    const server = await start([main, 'serve'], {}, folder);
    await until('it has failed', async () => server.log().includes('no such table: nowhere'));
    expect(await server.stop('SIGTERM')).toBe(1);
  });
});
