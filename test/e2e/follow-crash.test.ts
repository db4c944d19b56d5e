import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveSource } from '../../src/mirror/ingest/units/live-source.ts';
import { S3_BUCKET } from '../support/s3/s3-server.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';
import { wholeLedger } from '../support/whole-ledger.ts';
import { type WrittenNetwork, writeNetwork } from '../support/written-network.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PROCESS = fileURLToPath(new URL('../support/follow-process.ts', import.meta.url));
const FILES = 120;
/** Record files are wrapped up to here; blocks are native from here on. */
const NATIVE_FROM = 60;
/** Of each source. `npm run test:crash` asks for a hundred, which takes minutes: a process has to start for each. */
const KILLS = Math.ceil(Number(process.env['CRASH_KILLS'] ?? 4) / 2);
const SECONDS_PER_RUN = 60;

const random = numbersFrom(freshSeed());

let folder = '';
let network: WrittenNetwork;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-follow-crash-'));
  const options = { files: FILES, transactionsPerFile: 6, nodes: 2, keyBits: 1024, nativeFrom: NATIVE_FROM };
  network = await writeNetwork(folder, options);
  await network.intoBucket(0, FILES);
  network.intoNode(0, FILES);
}, 120_000);

afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** From the first stored unit to the end of the process. */
  readonly milliseconds: number;
}

/** Follows to the last block; is killed so long after the first sign of life, unless it has ended by then. */
async function follow(source: LiveSource, database: string, killAfterMs: number | null): Promise<Run> {
  const args = ['--import', 'tsx', PROCESS, JSON.stringify([source]), database, network.book];
  const child = spawn(process.execPath, [...args, String(FILES - 1)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...network.bucketVariables },
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let started: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  for await (const _ of child.stdout) {
    if (started !== null) continue;
    started = performance.now();
    if (killAfterMs !== null) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  }
  const [exitCode, signal] = await ended;
  if (timer !== null) clearTimeout(timer);
  return { exitCode, signal, milliseconds: performance.now() - (started ?? performance.now()) };
}

const SOURCES: readonly (readonly [name: string, source: () => LiveSource])[] = [
  [
    'bucket',
    () => ({
      kind: 'bucket',
      name: `s3://${S3_BUCKET}`,
      content: 'records',
      bucket: S3_BUCKET,
      prefix: '',
      endpoint: network.bucket.url,
      region: null,
      access: 'auto',
    }),
  ],
  [
    'block node',
    () => ({ kind: 'block-nodes', name: 'block nodes', nodes: [network.node.address], discovery: 'off' }),
  ],
];

test.each(SOURCES)(
  `a follower of a %s that is killed at ${KILLS} random moments has the ledger of an undisturbed one`,
  {
    timeout: (KILLS + 5) * SECONDS_PER_RUN * 1000,
  },
  async (name, source) => {
    const undisturbed = await databaseUrlOf(join(folder, `${name}-undisturbed.sqlite`));
    const whole = await follow(source(), undisturbed, null);
    expect(whole).toMatchObject({ exitCode: 0, signal: null });
    const expected = await wholeLedger(undisturbed);
    let [kills, ledgers] = [0, 0];
    while (kills < KILLS) {
      const disturbed = await databaseUrlOf(join(folder, `${name}-${ledgers++}.sqlite`));
      let killsOfLedger = 0;
      for (let isWhole = false; !isWhole; ) {
        const killAfterMs = kills < KILLS ? random() * 0.7 * whole.milliseconds : null;
        const { exitCode, signal } = await follow(source(), disturbed, killAfterMs);
        if (signal === 'SIGKILL') {
          kills++;
          killsOfLedger++;
        } else {
          expect(exitCode).toBe(0);
          isWhole = true;
        }
      }
      // Compared as a truth value: a difference of two such texts would take minutes to print.
      expect(
        isDeepStrictEqual(await wholeLedger(disturbed), expected),
        `ledger ${ledgers} of the ${name} after ${killsOfLedger} kills`,
      ).toBe(true);
    }
    console.log(`${kills} kills while ${ledgers} ledgers followed a ${name}`);
  },
);
