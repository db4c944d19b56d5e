import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockFileName } from '../../src/mirror/ingest/block/block-source.ts';
import { writeBlocks, writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';
import { wholeLedger } from '../support/whole-ledger.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROCESS = fileURLToPath(new URL('../kit/mirror/ingest/import-process.ts', import.meta.url));
/** Of each ledger; 10 000 take half an hour. */
const FILES = Number(process.env['CRASH_FILES'] ?? 400);
/** Record files are wrapped up to here; blocks are native from here on. */
const NATIVE_FROM = FILES / 2;
/** Between record files: the ledger goes over several days, with snapshots and stakes. */
const HALF_AN_HOUR = 1_800_000_000_000n;
const SECONDS_PER_RUN = FILES / 10;

const random = numbersFrom(freshSeed());

const OPTIONS = {
  files: FILES,
  transactionsPerFile: 8,
  mix: 'everything',
  filePeriod: HALF_AN_HOUR,
  nodes: 2,
  keyBits: 1024,
} as const;
/** Writes a ledger into a folder. */
const LEDGERS: readonly (readonly [name: string, write: (path: string) => Promise<void>])[] = [
  ['record files', async (path) => void (await writeStream(writeIntoFolder(path), OPTIONS))],
  [
    'record files whose times step back and overlap',
    async (path) => {
      await writeStream(writeIntoFolder(path), { ...OPTIONS, stepsBack: true, beginsAnywhereFrom: 1 });
    },
  ],
  [
    'blocks whose times step back and overlap',
    async (path) => {
      const write = writeIntoFolder(path);
      const { blocks, book } = writeBlocks({ ...OPTIONS, stepsBack: true, nativeFrom: NATIVE_FROM });
      await write('address_book.bin', book);
      for (const { bytes, number } of blocks) await write(blockFileName(number, '.blk'), bytes);
    },
  ],
];

/** Of each ledger. `npm run test:crash` asks for a hundred, which takes minutes: a process has to start for each. */
const KILLS = Math.ceil(Number(process.env['CRASH_KILLS'] ?? 6) / LEDGERS.length);

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-crash-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly units: number;
  /** From the first stored unit to the end of the process. */
  readonly milliseconds: number;
}

/** Runs the import; it is killed `killAfterMs` after it told of its first unit, unless it has ended by then. */
async function runImport(stream: string, database: string, killAfterMs: number | null): Promise<Run> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, stream, database], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let units = 0;
  let started = performance.now();
  let timer: NodeJS.Timeout | null = null;
  for await (const chunk of child.stdout) {
    if (units === 0) {
      started = performance.now();
      if (killAfterMs !== null) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    }
    units += String(chunk).split('\n').length - 1;
  }
  const [exitCode, signal] = await ended;
  if (timer !== null) clearTimeout(timer);
  return { exitCode, signal, units, milliseconds: performance.now() - started };
}

test.for(LEDGERS)(
  `an import of %s that is killed at ${KILLS} random moments ends as an undisturbed one`,
  {
    timeout: (KILLS + 10) * SECONDS_PER_RUN * 1000,
  },
  async ([name, write]) => {
    const stream = join(folder, name);
    await write(stream);
    const undisturbed = await databaseUrlOf(join(folder, `${name}.sqlite`));
    const whole = await runImport(stream, undisturbed, null);
    expect(whole).toMatchObject({ exitCode: 0, signal: null, units: FILES });
    const expected = await wholeLedger(undisturbed);

    let [kills, ledgers, interrupted] = [0, 0, 0];
    // The first run is slower than the next ones: a kill at its pace would often come too late.
    let fastest = whole.milliseconds;
    while (kills < KILLS) {
      const disturbed = await databaseUrlOf(join(folder, `${name}-${ledgers++}.sqlite`));
      let killsOfLedger = 0;
      for (let isWhole = false; !isWhole; ) {
        const killAfterMs = kills < KILLS ? random() * 0.7 * fastest : null;
        const { exitCode, milliseconds, signal, units } = await runImport(stream, disturbed, killAfterMs);
        if (signal === 'SIGKILL') {
          kills++;
          killsOfLedger++;
        } else {
          expect(exitCode).toBe(0);
          if (units === FILES) fastest = Math.min(fastest, milliseconds);
          isWhole = true;
        }
      }
      if (killsOfLedger > 0) interrupted++;
      // Compared as a truth value: a difference of two such texts would take minutes to print.
      expect(
        isDeepStrictEqual(await wholeLedger(disturbed), expected),
        `ledger ${ledgers} after ${killsOfLedger} kills`,
      ).toBe(true);
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    console.log(`${kills} kills while ${interrupted} of ${ledgers} ledgers were imported`);
  },
);
