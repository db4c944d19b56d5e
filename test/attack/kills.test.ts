import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { putExecutables } from '../kit/verify/stand-in-compilers.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';
import { until } from '../support/serve-process.ts';
import { IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked, TOKEN } from './attacked-server.ts';
import { brokenJobs, readJob, submissionText, submit } from './contracts.ts';
import { recordRow } from './report.ts';

/** `ATTACK_KILLS`: each takes a start of the server. */
const KILLS = Number(process.env['ATTACK_KILLS'] ?? (IS_FULL ? 200 : 2));
const SECONDS_PER_KILL = 15;
const MAX_LIFE_MS = 1500;
const random = numbersFrom(freshSeed());
const SUBMITTERS = 3;
const POISON_VERSION = '0.8.99+commit.00000000';
const POISON_ADDRESS = 3999;
const LAST_INNOCENT = 3900;
const FILES = IS_FULL ? 300 : 40;

/** Kills the server that started it and nothing else, whenever it is to compile. */
const POISON = `#!/bin/sh
if [ "$1" = --version ]; then echo 'Version: ${POISON_VERSION}.Linux.g++'; exit; fi
grep -q dist/main.js "/proc/$PPID/cmdline" && kill -9 "$PPID"
`;

let folder: string;
let server: AttackedServer | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-kills-'));
});
afterEach(async () => {
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** What the server acknowledged over all its lives. */
const acknowledged = { jobs: [] as string[], poison: null as string | null, note: 0, reads: 0 };
let [nextAddress, nextNote] = [0, 0];

async function call(url: string, method: string, path: string, body?: object): Promise<{ id: string }> {
  const answer = await fetch(`${url}/v1/pages${path}`, {
    method,
    headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}

/** Writes, submits and reads until the server is gone. */
async function burden(url: string, component: string): Promise<void> {
  let isGone = false;
  const forever = async (once: () => Promise<void>) => {
    while (!isGone) {
      // The kill ends whatever is under way.
      await once().catch(() => {
        isGone = true;
      });
    }
  };
  const submitInnocent = async () => {
    if (nextAddress > LAST_INNOCENT) return void (await pause(20));
    const index = nextAddress++;
    // Every fourth one needs its compiler.
    const body = submissionText(index % 4 === 0 ? `kills ${index}` : undefined);
    const { verificationId } = await submit(url, index, { body });
    if (verificationId !== null) acknowledged.jobs.push(verificationId);
  };
  await Promise.all([
    ...Array.from({ length: SUBMITTERS }, () => forever(submitInnocent)),
    forever(async () => {
      const note = ++nextNote;
      await call(url, 'PATCH', component, { component: { description: `note ${note}` } });
      acknowledged.note = note;
    }),
    forever(async () => {
      const answer = await fetch(`${url}/api/v1/transactions`);
      await answer.arrayBuffer();
      acknowledged.reads += 1;
    }),
  ]);
}

test(`${KILLS} kills under load give up no innocent job and lose nothing`, {
  timeout: 120_000 + KILLS * SECONDS_PER_KILL * 1000,
}, async () => {
  const [streams, compilers] = [join(folder, 'streams'), join(folder, 'given')];
  await writeStream(writeIntoFolder(streams), { files: FILES, transactionsPerFile: 20, keyBits: 1024 });
  mkdirSync(compilers);
  putExecutables(compilers, { [`solc-linux-amd64-v${POISON_VERSION}`]: POISON });
  const start = () =>
    startAttacked({ folder, env: { VERIFY_COMPILER_DIR: compilers, MIRROR_IMPORT: streams } });

  server = await start();
  const [page] = (await call(server.url, 'GET', '')) as unknown as [{ id: string }];
  const { id } = await call(server.url, 'POST', `/${page.id}/components`, { component: { name: 'A' } });
  const component = `/${page.id}/components/${id}`;
  const poison = submissionText().replace(
    /"compilerVersion":"[^"]+"/,
    `"compilerVersion":"${POISON_VERSION}"`,
  );

  let [kills, deathsByPoison] = [0, 0];
  while (kills + deathsByPoison < KILLS) {
    if (server === null) {
      // It may die before it is live.
      server = await start().catch(() => null);
      if (server === null) {
        deathsByPoison += 1;
        continue;
      }
    }
    const work = burden(server.url, component);
    if (acknowledged.poison === null) {
      const { verificationId } = await submit(server.url, POISON_ADDRESS, { body: poison });
      acknowledged.poison = verificationId;
    }
    await Promise.race([pause(random() * MAX_LIFE_MS), work]);
    if (server.end() === null) kills += 1;
    else deathsByPoison += 1;
    await server.stop('SIGKILL');
    await work;
    server = null;
  }

  const { jobs, note, reads } = acknowledged;
  const poisonId = acknowledged.poison ?? expect.fail('the poison was never accepted');
  await until(
    'the poison is given up',
    async () => {
      if (server !== null && server.end() !== null) deathsByPoison += 1;
      if (server === null || server.end() !== null) server = await start().catch(() => null);
      const job = server === null ? null : await readJob(server.url, poisonId).catch(() => null);
      if (job?.isJobCompleted) expect(job.error?.customCode).toBe('job_abandoned');
      return job?.isJobCompleted === true;
    },
    120_000,
  );
  const { url } = server ?? expect.fail('no server runs');
  expect(await brokenJobs(url, jobs)).toEqual([]);
  // Of all lives, each with its start.
  const longestTurn = server?.longestTurnMs(0) ?? 0;
  recordRow({ scenario: 'kills', readsP99: null, livenessMax: null, longestTurn });
  const { description } = (await call(url, 'GET', component)) as unknown as { description: string };
  expect(Number(description.replace('note ', ''))).toBeGreaterThanOrEqual(note);
  await until('the ledger is imported', async () => {
    const readiness = await (await fetch(`${url}/health/readiness`)).json();
    return (readiness as { ingest: { state: string }[] }).ingest[0]?.state === 'finished';
  });
  console.log(
    `kills: ${kills} from outside and ${deathsByPoison} by the poison; ${jobs.length} innocent jobs, ` +
      `${note} changes of the status page and ${reads} pages acknowledged, none lost; the poison was given up`,
  );
});
