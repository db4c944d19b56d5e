import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { ledgerDigests, query } from '../support/postgres-rows.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';
import { until } from '../support/serve-process.ts';

/** Of each kind: killed, and stopped for longer than its lease. `npm run test:faults` asks for 20. */
const FAULTS = Number(process.env['FAULT_LEADERS'] ?? 1);
/** Of one ledger: when it is imported, it is compared and another one begins, so that no fault meets an idle import. */
const FILES = 1000;
/** Units that must be left, lest nobody has a reason to take over. */
const LEFT = 100;
/** One commit for each, on a machine that does much else. */
const IMPORT_MS = 60_000 + FILES * 200;
const REPLICAS = 3;
/** Longer than the lease of an import. */
const STOPPED_MS = 20_000;
const MAX_REIGN_MS = 400;
/** The lease of 15 s, and what a busy machine adds. */
const TAKEOVER_MS = 30_000;

const random = numbersFrom(freshSeed());
let cluster: PostgresCluster;
let home: string;
let streams: string;
const replicas: AttackedServer[] = [];
/** The one of the undisturbed import. */
const single: AttackedServer[] = [];
beforeAll(async () => {
  cluster = await startPostgres();
  home = mkdtempSync(join(tmpdir(), 'ledgerlens-leaders-'));
  streams = join(home, 'streams');
  await writeStream(writeIntoFolder(streams), {
    files: FILES,
    transactionsPerFile: 8,
    mix: 'everything',
    nodes: 2,
    keyBits: 1024,
  });
});
afterAll(async () => {
  for (const replica of [...single, ...replicas]) await replica.remove();
  await cluster?.stop();
  rmSync(home, { recursive: true, force: true });
});

function start(url: string, name: string): Promise<AttackedServer> {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  return startAttacked({
    folder,
    env: { DATABASE_URL: url, MIRROR_IMPORT: streams, STATUS_PROBES_OFF: 'all' },
  });
}

const unitsIn = async (url: string) =>
  Number((await query<{ count: string }>(url, 'select count(*) from ledger_unit'))[0]?.count);

/** The process that may import, and how often the right changed hands; null when nobody may. */
async function leader(url: string): Promise<{ readonly pid: number; readonly token: number } | null> {
  const rows = await query<{ owner: string; token: string }>(
    url,
    `select owner, token from import_lease where owner is not null
       and until_ms > extract(epoch from clock_timestamp()) * 1000`,
  );
  const [row] = rows;
  return row === undefined ? null : { pid: Number(row.owner.split(' ')[1]), token: Number(row.token) };
}

/** Waits until somebody else imports than the one that is gone. */
async function isTakenOver(url: string, token: number): Promise<void> {
  const next = async () => ((await leader(url))?.token ?? token) > token;
  await until('another replica takes over', next, TAKEOVER_MS);
}

test(`imports whose leader is killed and stopped, ${FAULTS} times each, make the ledger of an undisturbed one`, {
  timeout: 300_000 + FAULTS * 180_000,
}, async () => {
  const undisturbed = await cluster.createMigrated();
  const alone = await start(undisturbed, 'alone');
  single.push(alone);
  await until('the ledger is imported', async () => (await unitsIn(undisturbed)) === FILES, IMPORT_MS);
  await alone.stop('SIGTERM');
  const expected = await ledgerDigests(undisturbed);
  expect(Object.keys(expected)).toContain('tx');

  let [kills, stops, ledgers] = [0, 0, 0];
  while (kills < FAULTS || stops < FAULTS) {
    ledgers += 1;
    const url = await cluster.createMigrated();
    for (let at = 0; at < REPLICAS; at++) replicas.push(await start(url, `replica-${ledgers}-${at}`));
    while ((kills < FAULTS || stops < FAULTS) && (await unitsIn(url)) < FILES - LEFT) {
      const first = await leader(url);
      const at = replicas.findIndex(({ child }) => child.pid === first?.pid);
      if (first === null || at === -1) {
        await pause(20);
        continue;
      }
      await pause(random() * MAX_REIGN_MS);
      if ((await leader(url))?.token !== first.token || (await unitsIn(url)) >= FILES - LEFT) continue;
      const isKill = stops === FAULTS || (kills < FAULTS && random() < 0.5);
      if (isKill) {
        await replicas[at]?.stop('SIGKILL');
        await isTakenOver(url, first.token);
        replicas[at] = await start(url, `replica-${ledgers}-${at}`);
        kills += 1;
      } else {
        replicas[at]?.child.kill('SIGSTOP');
        const stopped = pause(STOPPED_MS);
        await isTakenOver(url, first.token);
        await stopped;
        replicas[at]?.child.kill('SIGCONT');
        stops += 1;
      }
    }
    await until('the ledger is imported', async () => (await unitsIn(url)) === FILES, IMPORT_MS);
    for (const replica of replicas) expect(replica.end()).toBeNull();
    expect(await ledgerDigests(url)).toEqual(expected);
    for (const replica of replicas.splice(0)) await replica.remove();
  }
  console.log(
    `${kills} leaders killed, ${stops} stopped for ${STOPPED_MS} ms, over ${ledgers} ledgers of ${FILES} units`,
  );
  expect([kills, stops]).toEqual([FAULTS, FAULTS]);
});
