import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { addressOf, brokenJobs, CHAIN, submissionText, submit } from '../attack/contracts.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { query } from '../support/postgres-rows.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';

/** `npm run test:faults` asks for 500. */
const JOBS = Number(process.env['FAULT_JOBS'] ?? 40);
const REPLICAS = 3;
const KILL_EVERY_MS = JOBS < 100 ? 2_000 : 5_000;
/** So that the load lasts for some kills. */
const SUBMIT_EVERY_MS = 200;
/** Each has a submission under way nearly always, also when the database is restarted. */
const CLIENTS = 3;
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

/** As who runs it does: a start that meets no database ends, and is tried again. */
async function startReplica(at: number): Promise<AttackedServer> {
  const folder = join(home, String(at));
  mkdirSync(folder, { recursive: true });
  for (;;) {
    try {
      return await startAttacked({ folder, env: { DATABASE_URL: url, ...NO_IMPORT } });
    } catch (error) {
      if (!/The database .*(cannot be used|is busy)/.test((error as Error).message)) throw error;
      met.failedStarts += 1;
    }
  }
}

const anyReplica = () => replicas[Math.floor(random() * REPLICAS)] as AttackedServer;

/** What clients met. */
const met = { refused: 0, lost: 0, duplicates: 0, restartsUnderWay: 0, failedStarts: 0 };
let underWay = 0;

interface Accepted {
  readonly index: number;
  /** Null when a replica has accepted it and could not say so. */
  readonly id: string | null;
  /** Attempts whose answer never came: each may have been accepted. */
  readonly lost: number;
}

/** Like a client behind a balancer: until one of them has accepted it. */
async function accepted(index: number): Promise<Accepted> {
  const body = submissionText(isCompiled(index) ? `replica ${index}` : undefined);
  for (let lost = 0; ; ) {
    underWay += 1;
    const answer = await submit(anyReplica().url, index, { body }).catch(() => null);
    underWay -= 1;
    if (answer?.verificationId != null) return { index, id: answer.verificationId, lost };
    if (answer === null) {
      lost += 1;
      met.lost += 1;
    } else if (lost > 0 && /duplicate_verification_request|already_verified/.test(answer.text)) {
      met.duplicates += 1;
      return { index, id: null, lost };
    } else if (answer.status === 503) {
      expect(answer.retryAfter).not.toBeNull();
      met.refused += 1;
    } else {
      throw new Error(`${answer.status}: ${answer.text} ${replicas.map((each) => each.log().slice(-4000))}`);
    }
    await pause(TRY_AGAIN_MS);
  }
}

/** Its bytecode is another one than that on chain. */
const isCompiled = (index: number) => index % COMPILED_EVERY === 0;

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
  const all: Accepted[] = [];
  const restarts: Promise<void>[] = [];
  let next = 0;
  const client = async () => {
    while (next < JOBS) {
      const index = next++;
      const answer = accepted(index);
      if (index === Math.floor(JOBS / 3) || index === Math.floor((2 * JOBS) / 3)) {
        if (underWay > 0) met.restartsUnderWay += 1;
        restarts.push(cluster.restart());
      }
      all.push(await answer);
      await pause(SUBMIT_EVERY_MS * CLIENTS);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await Promise.all(restarts);
  done.abort();
  await killing;
  const { url: living } = anyReplica();
  const ids = all.flatMap(({ id }) => id ?? []);
  expect(await brokenJobs(living, ids)).toEqual([]);
  // Those whose answer was lost end as well.
  await expect.poll(() => unfinished(living)).toBe(0);
  const { jobs, contracts } = await stored();
  expect(jobs.filter(({ finished }) => !finished)).toEqual([]);
  // Each that was accepted is there, once; beside it only those whose acceptance nobody heard of.
  const known = new Set(jobs.map(({ id }) => id));
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  const wrong = all.flatMap(({ id, index, lost }) => {
    const address = addressOf(index);
    const own = jobs.filter((job) => job.address === address);
    const rows = contracts.get(address) ?? { matches: 0, verified: 0 };
    const expected = isCompiled(index) ? 0 : 1;
    const isRight =
      own.length >= 1 &&
      own.length <= lost + (id === null ? 0 : 1) &&
      rows.matches === expected &&
      rows.verified === expected;
    return isRight ? [] : [{ address, lost, jobs: own, ...rows }];
  });
  console.log(
    `${ids.length} jobs accepted, ${all.length - ids.length} more without an answer; ${jobs.length} jobs and ` +
      `${contracts.size} contracts stored; ${kills} kills, ${restarts.length} restarts of the database, ` +
      `${met.restartsUnderWay} of them during submissions; tried again after ${met.refused} answers 503 and ` +
      `${met.lost} lost answers, of which ${met.duplicates} had been accepted; ${met.failedStarts} starts met no database`,
  );
  expect(wrong).toEqual([]);
  expect([...contracts.values()]).toHaveLength(all.filter(({ index }) => !isCompiled(index)).length);
  for (const { index } of all.filter((each) => !isCompiled(each.index))) {
    const found = await fetch(`${living}/v2/contract/${CHAIN}/${addressOf(index)}`);
    expect((await found.json()) as object, addressOf(index)).toMatchObject({ runtimeMatch: 'exact_match' });
  }
  expect(kills).toBeGreaterThan(0);
  expect(met.restartsUnderWay).toBe(2);
});

interface StoredJob {
  readonly id: string;
  readonly address: string;
  readonly finished: boolean;
}

/** What the database holds, however it came there. */
async function stored() {
  const jobs = await query<StoredJob>(
    url,
    `select id, '0x' || encode(address, 'hex') as address, finished_at is not null as finished
     from verification_job`,
  );
  const contracts = await query<{ address: string; matches: number; verified: number }>(
    url,
    `select '0x' || encode(d.address, 'hex') as address, count(distinct m.match_id)::int as matches,
       count(distinct v.id)::int as verified
     from contract_deployment d left join verified_contract v on v.deployment_id = d.id
       left join verification_match m on m.address = d.address and m.chain_id = d.chain_id
     group by d.address`,
  );
  return { jobs, contracts: new Map(contracts.map((row) => [row.address, row])) };
}

async function unfinished(from: string): Promise<number> {
  const metrics = await (await fetch(`${from}/metrics`)).text();
  return [...metrics.matchAll(/^ledgerlens_verify_jobs\{[^}]*\} (\d+)/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
}
