import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../src/mirror/ingest/index.ts';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { freshSeed, numbersFrom } from '../support/seed.ts';
import { until } from '../support/serve-process.ts';

/** Of each kind: killed, and stopped for longer than its lease. `npm run test:faults` asks for 20. */
const FAULTS = Number(process.env['FAULT_LEADERS'] ?? 1);
/** Others go on while a leader is stopped. */
const FILES = 900 * FAULTS + 100;
/** One commit for each, on a machine that does much else. */
const IMPORT_MS = 60_000 + FILES * 200;
const REPLICAS = 3;
/** Longer than the lease of an import. */
const STOPPED_MS = 20_000;
const LONGEST_REIGN_MS = 400;

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

async function query<Row extends object>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const unitsIn = async (url: string) =>
  Number((await query<{ count: string }>(url, 'select count(*) from ledger_unit'))[0]?.count);

/** The process that may import; null when nobody does. */
async function leader(url: string): Promise<number | null> {
  const rows = await query<{ owner: string }>(
    url,
    `select owner from import_lease where owner is not null
       and until_ms > extract(epoch from clock_timestamp()) * 1000`,
  );
  return rows[0] === undefined ? null : Number(rows[0].owner.split(' ')[1]);
}

/** Every row of the ledger, as one digest of each table. */
async function digest(url: string): Promise<Readonly<Record<string, string>>> {
  const tables = await query<{ name: string }>(
    url,
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = cast(current_schema() as regnamespace)
       and relname !~ '^(status_|verif|import_lease|ledger_edition|health_row|schema_version)' order by relname`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const text = `select coalesce(md5(string_agg(md5(cast(t as text)), '' order by md5(cast(t as text)))), '') as digest from ${name} t`;
    digests[name] = (await query<{ digest: string }>(url, text))[0]?.digest ?? '';
  }
  return digests;
}

test(`an import whose leader is killed and stopped, up to ${FAULTS} times each, makes the ledger of an undisturbed one`, {
  timeout: 300_000 + FAULTS * 180_000,
}, async () => {
  const undisturbed = await cluster.createMigrated();
  const alone = await start(undisturbed, 'alone');
  single.push(alone);
  await until('the ledger is imported', async () => (await unitsIn(undisturbed)) === FILES, IMPORT_MS);
  await alone.stop('SIGTERM');
  const expected = await digest(undisturbed);
  expect(Object.keys(expected)).toContain('tx');

  const url = await cluster.createMigrated();
  for (let at = 0; at < REPLICAS; at++) replicas.push(await start(url, `replica-${at}`));
  let [kills, stops] = [0, 0];
  while (kills + stops < 2 * FAULTS && (await unitsIn(url)) < FILES) {
    const pid = await leader(url);
    const at = replicas.findIndex(({ child }) => child.pid === pid);
    if (at === -1) {
      await pause(20);
      continue;
    }
    await pause(random() * LONGEST_REIGN_MS);
    if ((await leader(url)) !== pid) continue;
    const isKill = stops === FAULTS || (kills < FAULTS && random() < 0.5);
    if (isKill) {
      await replicas[at]?.stop('SIGKILL');
      replicas[at] = await start(url, `replica-${at}`);
      kills += 1;
    } else {
      replicas[at]?.child.kill('SIGSTOP');
      await pause(STOPPED_MS);
      replicas[at]?.child.kill('SIGCONT');
      stops += 1;
    }
  }
  await until('the ledger is imported', async () => (await unitsIn(url)) === FILES, IMPORT_MS);
  for (const replica of replicas) expect(replica.end()).toBeNull();
  expect(await digest(url)).toEqual(expected);
  console.log(`${kills} leaders killed, ${stops} stopped for ${STOPPED_MS} ms, over ${FILES} units`);
  expect(kills + stops).toBeGreaterThan(0);
});
