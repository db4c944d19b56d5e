import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { brokenJobs } from '../attack/contracts.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';
import { until } from '../support/serve-process.ts';
import { faultBackend } from './fault-backends.ts';
import { type MixedLoad, manage, nothingAcknowledged, startLoad } from './mixed-load.ts';

/** `npm run test:faults` asks for 200, which takes minutes: a server has to start for each. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 4);
/** Of one ledger: then it may finish, is compared, and another one begins. */
const KILLS_PER_LEDGER = 20;
const MAX_LIFE_MS = 1500;
const SECONDS_PER_KILL = 15;
const FILES = KILLS > KILLS_PER_LEDGER ? 600 : 150;

const backend = faultBackend();
const random = numbersFrom(freshSeed());
let folder = '';
let streams = '';
const servers = new Set<AttackedServer>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-faults-'));
  streams = join(folder, 'streams');
  await writeStream(writeIntoFolder(streams), {
    files: FILES,
    transactionsPerFile: 8,
    mix: 'everything',
    nodes: 2,
    keyBits: 1024,
  });
});
afterAll(async () => {
  for (const server of servers) await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function start(home: string): Promise<AttackedServer> {
  mkdirSync(home, { recursive: true });
  const server = await startAttacked({
    folder: home,
    env: { DATABASE_URL: backend.url(home), MIRROR_IMPORT: streams },
  });
  servers.add(server);
  return server;
}

async function kill(server: AttackedServer): Promise<void> {
  await server.stop('SIGKILL');
  servers.delete(server);
}

async function isImported({ url }: AttackedServer): Promise<boolean> {
  const readiness = await (await fetch(`${url}/health/readiness`)).json();
  return (readiness as { ingest: { state: string }[] }).ingest[0]?.state === 'finished';
}

/** Waits until everything is imported, ends the server in peace. @returns the ledger. */
async function finish(server: AttackedServer, home: string): Promise<string> {
  await until('the ledger is imported', () => isImported(server));
  await server.stop('SIGTERM');
  servers.delete(server);
  return backend.ledger(backend.url(home));
}

test(`${KILLS} kills at random moments under mixed load leave a whole database, lose nothing and store no unit twice or in part`, {
  timeout: 300_000 + KILLS * SECONDS_PER_KILL * 1000,
}, async () => {
  const undisturbedHome = join(folder, 'undisturbed');
  const undisturbed = await finish(await start(undisturbedHome), undisturbedHome);
  let [kills, importing, ledgers, jobs, changes, reads] = [0, 0, 0, 0, 0, 0];
  let load: MixedLoad | null = null;
  onTestFinished(() => load?.stop());
  while (kills < KILLS) {
    const home = join(folder, `disturbed-${ledgers++}`);
    const seen = nothingAcknowledged();
    let server = await start(home);
    const [page] = await manage<[{ id: string }]>(server.url, 'GET', '');
    const { id } = await manage<{ id: string }>(server.url, 'POST', `/${page.id}/components`, {
      component: { name: 'A' },
    });
    const component = `/${page.id}/components/${id}`;
    for (let left = Math.min(KILLS - kills, KILLS_PER_LEDGER); left > 0; left -= 1) {
      load = startLoad(server.url, component, seen);
      await pause(random() * MAX_LIFE_MS);
      expect(server.end(), 'ended by itself').toBeNull();
      if (!(await isImported(server))) importing += 1;
      await kill(server);
      await load.stop();
      kills += 1;
      server = await start(home);
      expect(backend.faults(backend.url(home)), `after kill ${kills}`).toEqual([]);
    }
    expect(await brokenJobs(server.url, seen.jobs)).toEqual([]);
    const { description } = await manage<{ description: string | null }>(server.url, 'GET', component);
    expect(Number((description ?? '0').replace('note ', ''))).toBeGreaterThanOrEqual(seen.note);
    // Compared as a truth value: a difference of two such texts would take minutes to print.
    expect((await finish(server, home)) === undisturbed, `ledger ${ledgers}`).toBe(true);
    jobs += seen.jobs.length;
    changes += seen.changes;
    reads += seen.reads;
  }
  expect(jobs).toBeGreaterThan(0);
  expect(importing, 'kills during an import').toBeGreaterThan(0);
  console.log(
    `${kills} kills, ${importing} during an import, over ${ledgers} ledgers of ${FILES} files: ${jobs} jobs, ${changes} changes of the status page ` +
      `and ${reads} pages acknowledged, none lost; every check of the database in order, every ledger undisturbed`,
  );
});
