import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresConnection } from '../../src/storage/postgres/postgres-pool.ts';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { addressOf, brokenJobs, CHAIN, submit } from '../attack/contracts.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { query } from '../support/postgres-rows.ts';
import { until } from '../support/serve-process.ts';

/** More than a replica works on at a time. */
const JOBS = 20;
/** An idle transaction ends after 30 s, the lease of its job too; a busy machine needs more. */
const ENDED_MS = 120_000;
const READ_EVERY_MS = 50;
/** The lock at which the first replica stands still. */
const GATE = 1;

let cluster: PostgresCluster;
let url: string;
let home: string;
const replicas: AttackedServer[] = [];
beforeAll(async () => {
  cluster = await startPostgres();
  url = await cluster.createMigrated();
  home = mkdtempSync(join(tmpdir(), 'ledgerlens-stopped-'));
});
afterAll(async () => {
  for (const replica of replicas) await replica.remove();
  await cluster?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function startReplica(name: string): Promise<AttackedServer> {
  const folder = join(home, name);
  mkdirSync(folder);
  const replica = await startAttacked({ folder, env: { DATABASE_URL: url, MIRROR_IMPORT: '' } });
  replicas.push(replica);
  return replica;
}

const submitted = async (replica: AttackedServer, index: number): Promise<string> =>
  (await submit(replica.url, index)).verificationId ?? expect.fail(`submission ${index} was refused`);

const count = async (what: string): Promise<number> =>
  Number((await query<{ count: string }>(url, `select count(*) from ${what}`))[0]?.count);

/** Asks for a contract that nobody verified, again and again. @returns how it was answered. */
async function readOn(replica: AttackedServer, signal: AbortSignal): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  while (!signal.aborted) {
    const answer = await fetch(`${replica.url}/v2/contract/${CHAIN}/${addressOf(JOBS)}`);
    await answer.arrayBuffer();
    statuses.add(answer.status);
    await pause(READ_EVERY_MS);
  }
  return statuses;
}

test('verifications end once each although a replica stands still before its commit', {
  timeout: 300_000,
}, async () => {
  const gate = await openPostgresConnection(url);
  await gate.query(
    `create function stand() returns trigger language plpgsql as $$
       begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
     create trigger stand after insert on verification_match for each row execute function stand()`,
  );
  const stopped = await startReplica('stopped');
  await gate.query(`select pg_advisory_lock(${GATE})`);
  const ids = [await submitted(stopped, 0)];
  const waits = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until('a verification is stored', async () => (await count(waits)) === 1);
  stopped.child.kill('SIGSTOP');
  // Its statement ends, and it does not go on to its commit.
  await gate.end();
  const other = await startReplica('other');
  for (let index = 1; index < JOBS; index += 1) ids.push(await submitted(other, index));
  const reading = new AbortController();
  const reads = readOn(other, reading.signal);
  await until('all matches are stored', async () => (await count('verification_match')) === JOBS, ENDED_MS);
  reading.abort();
  expect([...(await reads)]).toEqual([404]);
  stopped.child.kill('SIGCONT');
  expect(await brokenJobs(stopped.url, ids)).toEqual([]);
  expect(await count('verification_job where finished_at is null')).toBe(0);
  for (const index of ids.keys()) {
    const found = await fetch(`${other.url}/v2/contract/${CHAIN}/${addressOf(index)}`);
    expect(await found.json(), addressOf(index)).toMatchObject({ runtimeMatch: 'exact_match' });
  }
  const results = await query(
    url,
    'select error_code, count(*)::int from verification_job group by error_code',
  );
  expect(results).toEqual([{ error_code: null, count: JOBS }]);
  expect(await count('verification_match')).toBe(JOBS);
  expect(await count('verified_contract')).toBe(JOBS);
});
