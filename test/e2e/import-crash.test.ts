import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../src/mirror/ingest/index.ts';
import { openDatabase } from '../../src/storage/database-url.ts';
import { ledgerDump } from '../support/ledger-dump.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROCESS = fileURLToPath(new URL('../../src/mirror/ingest/testing/import-process.ts', import.meta.url));
const FILES = 300;
/** Units after which the process is killed, one run after the other. */
const KILLS = [1, 37, 80];

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-crash-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the import; with `killAfter` it is killed as soon as it has stored that many units. */
async function runImport(stream: string, database: string, killAfter: number | null) {
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, stream, database], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let units = 0;
  for await (const chunk of child.stdout) {
    units += String(chunk).split('\n').length - 1;
    if (killAfter !== null && units >= killAfter) child.kill('SIGKILL');
  }
  const [exitCode, signal] = await ended;
  return { exitCode, signal, units };
}

function dump(database: string): string {
  const opened = openDatabase(`sqlite:${database}`);
  try {
    return ledgerDump(opened);
  } finally {
    opened.close();
  }
}

test('an import that is killed again and again ends with the ledger of an undisturbed one', async () => {
  const stream = join(folder, 'stream');
  await writeStream(writeIntoFolder(stream), {
    files: FILES,
    transactionsPerFile: 6,
    nodes: 2,
    keyBits: 1024,
  });
  const undisturbed = join(folder, 'undisturbed.sqlite');
  expect(await runImport(stream, undisturbed, null)).toEqual({ exitCode: 0, signal: null, units: FILES });

  const disturbed = join(folder, 'disturbed.sqlite');
  for (const killAfter of KILLS) {
    expect(await runImport(stream, disturbed, killAfter)).toMatchObject({ signal: 'SIGKILL' });
  }
  const last = await runImport(stream, disturbed, null);
  expect(last).toMatchObject({ exitCode: 0, signal: null });
  expect(last.units).toBeLessThan(FILES);
  expect(dump(disturbed)).toBe(dump(undisturbed));
});
