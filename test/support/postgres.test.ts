import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

  test('says why its programs did not start', async () => {
    await expect(startPostgres({ programs: '/nowhere/bin' })).rejects.toThrow('/nowhere/bin/initdb');
  });
});
