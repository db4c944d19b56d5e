import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { addressOf, brokenJobs, CHAIN, submissionText, submit } from '../attack/contracts.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';

/** `npm run test:faults` asks for 500. */
const JOBS = Number(process.env['FAULT_JOBS'] ?? 40);
const REPLICAS = 3;
const KILL_EVERY_MS = JOBS < 100 ? 2_000 : 5_000;
/** So that the load lasts for some kills. */
const SUBMIT_EVERY_MS = 200;
/** Every so many submissions need their compiler. */
const COMPILED_EVERY = 4;
const TRY_AGAIN_MS = 100;
const NO_IMPORT = { MIRROR_IMPORT: '' };

const random = numbersFrom(freshSeed());
let cluster: PostgresCluster;
let url: string;
let home: string;
const replicas: AttackedServer[] = [];
beforeAll(async () => {
  cluster = await startPostgres();
  url = await cluster.createMigrated();
  home = mkdtempSync(join(tmpdir(), 'ledgerlens-replicas-'));
  for (let at = 0; at < REPLICAS; at++) replicas.push(await startReplica(at));
});
afterAll(async () => {
  for (const replica of replicas) await replica.remove();
  await cluster?.stop();
  rmSync(home, { recursive: true, force: true });
});

function startReplica(at: number): Promise<AttackedServer> {
  const folder = join(home, String(at));
  mkdirSync(folder, { recursive: true });
  return startAttacked({ folder, env: { DATABASE_URL: url, ...NO_IMPORT } });
}

const anyReplica = () => replicas[Math.floor(random() * REPLICAS)] as AttackedServer;

/** Like a client behind a balancer: until one of them has accepted it. @returns null when one did and could not say so. */
async function accepted(index: number): Promise<string | null> {
  const body = submissionText(index % COMPILED_EVERY === 0 ? `replica ${index}` : undefined);
  for (;;) {
    const answer = await submit(anyReplica().url, index, { body }).catch(() => null);
    if (answer?.verificationId != null) return answer.verificationId;
    // An attempt before was accepted by a replica that died with its answer.
    if (answer?.status === 429 && answer.text.includes('duplicate_verification_request')) return null;
    if (answer !== null && answer.status !== 503) throw new Error(`${answer.status}: ${answer.text}`);
    await pause(TRY_AGAIN_MS);
  }
}

test(`${JOBS} verifications end once each while replicas are killed and the database is restarted twice`, {
  timeout: 180_000 + JOBS * 2_000,
}, async () => {
  const done = new AbortController();
  let kills = 0;
  const killing = (async () => {
    while (!done.signal.aborted) {
      await pause(KILL_EVERY_MS, undefined, { signal: done.signal }).catch(() => undefined);
      if (done.signal.aborted) return;
      const at = Math.floor(random() * REPLICAS);
      await replicas[at]?.stop('SIGKILL');
      kills += 1;
      replicas[at] = await startReplica(at);
    }
  })();
  const ids: string[] = [];
  let lost = 0;
  for (let index = 0; index < JOBS; index++) {
    if (index === Math.floor(JOBS / 3) || index === Math.floor((2 * JOBS) / 3)) await cluster.restart();
    const id = await accepted(index);
    if (id === null) lost += 1;
    else ids.push(id);
    await pause(SUBMIT_EVERY_MS);
  }
  done.abort();
  await killing;
  const { url: living } = anyReplica();
  expect(await brokenJobs(living, ids)).toEqual([]);
  // Those whose answer was lost end as well.
  await expect.poll(() => unfinished(living)).toBe(0);
  for (let index = 0; index < JOBS; index++) {
    if (index % COMPILED_EVERY === 0) continue;
    const found = await fetch(`${living}/v2/contract/${CHAIN}/${addressOf(index)}`);
    expect((await found.json()) as object, addressOf(index)).toMatchObject({ runtimeMatch: 'exact_match' });
  }
  console.log(`${ids.length} jobs accepted, ${lost} more without an answer, ${kills} kills, 2 restarts`);
  expect(kills).toBeGreaterThan(0);
});

async function unfinished(from: string): Promise<number> {
  const metrics = await (await fetch(`${from}/metrics`)).text();
  return [...metrics.matchAll(/^ledgerlens_verify_jobs\{[^}]*\} (\d+)/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
}
