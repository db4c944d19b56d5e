import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { type AttackedServer, startAttacked, TOKEN } from '../attack/attacked-server.ts';
import { addressOf, brokenJobs, CHAIN, submissionText, submit } from '../attack/contracts.ts';
import { askManage, manage } from '../faults/mixed-load.ts';
import { newestMigration, putLaterBuild } from '../support/later-build.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { runCommandBeside, until } from '../support/serve-process.ts';

const FILES = 60;
/** How long the migration holds every table. */
const HELD_SECONDS = 2;

let cluster: PostgresCluster;
let url: string;
let home: string;
let streams: string;
let database: pg.Client;
const servers: AttackedServer[] = [];
beforeAll(async () => {
  cluster = await startPostgres();
  url = await cluster.createMigrated();
  home = mkdtempSync(join(tmpdir(), 'ledgerlens-upgrade-'));
  streams = join(home, 'streams');
  await writeStream(writeIntoFolder(streams), {
    files: FILES,
    transactionsPerFile: 8,
    mix: 'everything',
    nodes: 2,
    keyBits: 1024,
  });
  database = new pg.Client({ connectionString: url });
  await database.connect();
});
afterAll(async () => {
  for (const server of servers) await server.remove();
  await database?.end();
  await cluster?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function start(name: string, main?: string): Promise<AttackedServer> {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  const env = { DATABASE_URL: url, MIRROR_IMPORT: streams, STATUS_PROBES_OFF: 'all' };
  const server = await startAttacked({ folder, env, ...(main === undefined ? {} : { main }) });
  servers.push(server);
  return server;
}

/** As a newer build may: to each table something is added, before each list of columns that anybody has asked for. */
async function expansion(): Promise<string> {
  const { rows } = await database.query<{ readonly name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = cast(current_schema() as regnamespace) and relname <> 'schema_version'`,
  );
  expect(rows.length).toBeGreaterThan(50);
  return [
    `-- serves: ${newestMigration()}`,
    ...rows.map(({ name }) => `alter table ${name} add column later_column bigint;`),
    'create table later_table (a bigint);',
    `select pg_sleep(${HELD_SECONDS});`,
  ].join('\n');
}

/** What each area is asked, again and again. */
const REQUESTS: Readonly<Record<string, (at: string) => Promise<Response>>> = {
  'verify: look-up': (at) => fetch(`${at}/v2/contract/${CHAIN}/${addressOf(0)}`),
  'verify: contracts': (at) => fetch(`${at}/v2/contracts/${CHAIN}`),
  'status: summary': (at) => fetch(`${at}/api/v2/summary.json`),
  'status: components': (at) =>
    fetch(`${at}/v1/pages`, { headers: { authorization: `OAuth ${TOKEN.text}` } }),
  'mirror: transactions': (at) => fetch(`${at}/api/v1/transactions`),
  'mirror: account': (at) => fetch(`${at}/api/v1/accounts?limit=2`),
  'mirror: blocks': (at) => fetch(`${at}/api/v1/blocks`),
  'mirror: nodes': (at) => fetch(`${at}/api/v1/network/nodes`),
  'mirror: tokens': (at) => fetch(`${at}/api/v1/tokens`),
  'mirror: schedules': (at) => fetch(`${at}/api/v1/schedules`),
};

/** Counts answers by what was asked and by their status. */
class Load {
  readonly counts = new Map<string, number>();
  readonly jobs: string[] = [];
  #isOver = false;
  readonly #loops: readonly Promise<void>[];

  constructor(at: string, component: string) {
    const loop = async (name: string, ask: (index: number) => Promise<number>) => {
      for (let index = 0; !this.#isOver; index++) {
        const key = `${name}: ${await ask(index).catch((error: Error) => error.message)}`;
        this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
        await pause(20);
      }
    };
    this.#loops = [
      ...Object.entries(REQUESTS).map(([name, ask]) =>
        loop(name, async () => {
          const answer = await ask(at);
          await answer.arrayBuffer();
          return answer.status;
        }),
      ),
      loop('verify: submission', async (index) => {
        const { status, verificationId } = await submit(at, index + 1, { body: submissionText() });
        if (verificationId !== null) this.jobs.push(verificationId);
        return status;
      }),
      loop('status: change', async (index) => {
        const change = { component: { description: `note ${index}` } };
        const answer = await askManage(at, 'PATCH', component, change);
        await answer.arrayBuffer();
        return answer.status;
      }),
    ];
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }
}

const readiness = async ({ url: at }: AttackedServer) => {
  const answer = await fetch(`${at}/health/readiness`);
  return { status: answer.status, text: await answer.text() };
};
const units = async () =>
  Number((await database.query('select count(*) as count from ledger_unit')).rows[0]?.count);

test('a replica goes on answering while a newer one adds to the schema, and refuses when it takes away', {
  timeout: 240_000,
}, async () => {
  const older = await start('older');
  const { verificationId: verified } = await submit(older.url, 0);
  expect(await brokenJobs(older.url, [String(verified)])).toEqual([]);
  const [page] = await manage<[{ id: string }]>(older.url, 'GET', '');
  const { id } = await manage<{ id: string }>(older.url, 'POST', `/${page.id}/components`, {
    component: { name: 'A' },
  });
  const component = `/${page.id}/components/${id}`;
  const load = new Load(older.url, component);
  await until('the ledger is on its way', async () => (await units()) > 5);

  const expanding = await expansion();
  const newer = await start('newer', putLaterBuild(join(home, 'newer-build'), [expanding]));
  expect((await database.query('select version, serves from schema_version')).rows).toEqual([
    { version: String(newestMigration() + 1), serves: String(newestMigration()) },
  ]);
  const before = load.total;
  const alsoNewer = new Load(newer.url, component);
  await until(
    'both have answered for a while',
    async () => load.total > before + 400 && alsoNewer.total > 400,
  );
  await until('the ledger is imported', async () => (await units()) === FILES);
  await Promise.all([load.end(), alsoNewer.end()]);
  const statuses = (counts: Load['counts']) =>
    [...counts.keys()].filter((key) => !/: (200|202|409|429)$/.test(key)).sort();
  // The older one has been asked while every table was held, and with plans that were made before.
  expect(statuses(load.counts)).toEqual([]);
  expect(statuses(alsoNewer.counts)).toEqual([]);
  expect(await brokenJobs(older.url, load.jobs)).toEqual([]);
  expect(load.jobs.length).toBeGreaterThan(0);
  expect((await readiness(older)).status).toBe(200);
  // Another one of the former version may start, and may be asked what it thinks.
  const again = await start('older-again');
  await expect.poll(async () => (await readiness(again)).status).toBe(200);
  const env = { DATABASE_URL: url };
  const { exitCode, output } = await runCommandBeside(['check'], env, home);
  expect(output).toContain('of a newer Ledgerlens, which also supports this one');
  expect(exitCode, output).toBe(0);

  const contracting = 'alter table tx drop column later_column;';
  const newest = await start('newest', putLaterBuild(join(home, 'newest-build'), [expanding, contracting]));
  for (const left of [older, newer, again]) {
    await expect.poll(async () => (await readiness(left)).status).toBe(503);
    expect((await readiness(left)).text).toContain('a newer Ledgerlens has changed its schema');
    for (const [name, ask] of Object.entries(REQUESTS)) {
      const answer = await ask(left.url);
      // The status page tells what it knew, as it does whenever the database is away.
      if (name === 'status: summary') continue;
      expect([name, answer.status]).toEqual([name, 503]);
      expect(answer.headers.get('retry-after')).not.toBeNull();
      await answer.arrayBuffer();
    }
    expect((await submit(left.url, 3000)).status).toBe(503);
    expect(left.end()).toBeNull();
  }
  await expect.poll(async () => (await readiness(newest)).status).toBe(200);
  for (const ask of Object.values(REQUESTS)) {
    expect((await ask(newest.url)).status).toBe(200);
  }
  const refused = await runCommandBeside(['serve'], env, home);
  expect(refused.errors).toContain(`this build supports ${newestMigration()}. Start a newer Ledgerlens`);
  expect(refused.exitCode).not.toBe(0);
  expect((await runCommandBeside(['check'], env, home)).output).toContain('start a newer Ledgerlens');
});
