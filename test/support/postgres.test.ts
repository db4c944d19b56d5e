import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isLeftOut } from './left-out.ts';
import { programsFolder, startPostgres } from './postgres.ts';

const notRoot =
  process.getuid?.() === 0
    ? null
    : 'skipped: only root has folders that the server of PostgreSQL cannot enter';

describe('the PostgreSQL of tests', () => {
  test.skipIf(isLeftOut(notRoot))('starts from a checkout that only root can enter', async () => {
    const checkout = mkdtempSync(join(tmpdir(), 'private-checkout-'));
    onTestFinished(() => rmSync(checkout, { recursive: true }));
    cpSync(dirname(programsFolder()), checkout, { recursive: true, verbatimSymlinks: true });
    const cluster = await startPostgres({ programs: join(checkout, 'bin') });
    onTestFinished(() => cluster.stop());
    expect(await cluster.createDatabase()).toMatch(/^postgres:/);
  });

  test('leaves nothing when its process is killed', { timeout: 60_000 }, async () => {
    const module = JSON.stringify(new URL('./postgres.ts', import.meta.url).href);
    const script = `const { startPostgres } = await import(${module});
      console.log(await (await startPostgres()).createDatabase());`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const folder = new URL(line.replace('@/', '@unused/')).searchParams.get('host') ?? '';
    expect(existsSync(folder)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => existsSync(folder)).toBe(false);
  });

  test('says why its programs did not start', async () => {
    await expect(startPostgres({ programs: '/nowhere/bin' })).rejects.toThrow('/nowhere/bin/initdb');
  });
});
