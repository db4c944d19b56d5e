import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blocksOf } from '../docs/read-blocks.ts';
import { isLeftOut } from '../support/left-out.ts';
import { startPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/serve-process.ts';

/** Where Debian puts a server together with the tools of its version, which npm's package does not have. */
const INSTALLED = '/usr/lib/postgresql';
const programs = existsSync(INSTALLED)
  ? readdirSync(INSTALLED)
      .map((version) => join(INSTALLED, version, 'bin'))
      .find((folder) => ['postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))))
  : undefined;
const missing = programs === undefined ? 'skipped: PostgreSQL with its pg_dump is not installed here' : null;

test.skipIf(isLeftOut(missing))(
  'a database of PostgreSQL is backed up and restored as the page says',
  async () => {
    const cluster = await startPostgres(programs === undefined ? {} : { programs });
    const folder = mkdtempSync(join(tmpdir(), 'dump-'));
    onTestFinished(async () => {
      rmSync(folder, { recursive: true });
      await cluster.stop();
    });
    const url = await cluster.createDatabase();
    const env = { DATABASE_URL: url, STATUS_PROBES_OFF: 'all' };
    const create = (name: string, at = env) =>
      runCommand(['status', 'create', 'component', `name=${name}`], at, folder).exitCode;
    expect(create('Before')).toBe(0);
    const name = /\/(\w+)\?/.exec(url)?.[1] ?? '';
    const inFolder = {
      PGHOST: new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? '',
      PGUSER: 'ledgerlens',
    };
    const run = (program: string, from = '', to = '') => {
      const block = blocksOf('docs/operation.md').find(({ text }) => text.includes(`${program} `));
      const { status, stderr } = spawnSync('bash', ['-euc', block?.text.replace(from, to) ?? 'false'], {
        cwd: folder,
        env: { ...inFolder, PATH: `${programs}:${process.env['PATH']}` },
        encoding: 'utf8',
      });
      expect(status, stderr).toBe(0);
    };
    run('pg_dump', ' ledgerlens\n', ` ${name}\n`);
    expect(create('After')).toBe(0);
    run('pg_restore');
    const restored = { ...env, DATABASE_URL: url.replace(`/${name}?`, '/restored?') };
    expect(create('Later', restored)).toBe(0);
    const { output } = runCommand(['status', 'list', 'component'], restored, folder);
    expect(output).toContain('Before');
    expect(output).toContain('Later');
    expect(output).not.toContain('After');
  },
  30_000,
);
