import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { LEASE_MS } from '../../src/status/subscribers/delivery-queue.ts';
import { type AttackedServer, startAttacked, TOKEN } from '../attack/attacked-server.ts';
import { brokenJobs, submissionText, submit } from '../attack/contracts.ts';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { query } from '../support/postgres-rows.ts';
import { until } from '../support/serve-process.ts';

const OFF_SECONDS = 600;
/** Longer than from one look at the leases of others to the next. */
const SUBMITTED_FOR_MS = 13_000;
/** What a busy machine adds to any of it. */
const SLACK_MS = 5_000;
const JOB_LEASE_MS = 30_000;
/** Without a sign of life for so long the page, and what a killed sender had begun, is another replica's. */
const TAKEOVER_MS = 60_000;
const NOW = 'extract(epoch from clock_timestamp()) * 1000';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(async () => {
  await cluster?.stop();
});

/** Sets the clock of a process and of its threads. */
function clockOff(seconds: number): readonly string[] {
  const code = `const Right = Date;
    globalThis.Date = class Date extends Right {
      constructor(...given) { given.length === 0 ? super(Right.now() + ${seconds * 1000}) : super(...given); }
      static now() { return Right.now() + ${seconds * 1000}; }
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

async function aPage() {
  const url = await cluster.createMigrated();
  const home = mkdtempSync(join(tmpdir(), 'ledgerlens-clocks-'));
  const replicas: AttackedServer[] = [];
  onTestFinished(async () => {
    for (const replica of replicas) await replica.remove();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    rows: <Row extends object>(text: string) => query<Row>(url, text),
    async startReplica(nodeArguments: readonly string[] = []): Promise<AttackedServer> {
      const folder = join(home, String(replicas.length));
      mkdirSync(folder);
      const env = { DATABASE_URL: url, MIRROR_IMPORT: '', STATUS_WEBHOOK_PRIVATE: 'on' };
      const replica = await startAttacked({ folder, env, nodeArguments });
      replicas.push(replica);
      return replica;
    },
    /** Which turn of keeping the page this is; null while nobody keeps it. */
    async turn(): Promise<number | null> {
      const [row] = await query<{ token: string }>(
        url,
        'select token from status_keeper where replica is not null',
      );
      return row === undefined ? null : Number(row.token);
    },
  };
}

/** Counts deliveries by their ids; `answer` decides about each. */
async function aReceiver() {
  const counts = new Map<string, number>();
  const receiver = { counts, url: '', answer: (response: ServerResponse) => void response.end() };
  const server = createServer((request, response) => {
    const id = String(request.headers['x-ledgerlens-delivery']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    request.resume().once('end', () => receiver.answer(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

async function call(server: AttackedServer, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${server.url}/v1/pages${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function clockOf({ url }: AttackedServer) {
  const { database } = (await (await fetch(`${url}/health/readiness`)).json()) as {
    database?: { clock?: string };
  };
  const [, ahead] = /^ledgerlens_clock_ahead_seconds (\S+)$/m.exec(
    await (await fetch(`${url}/metrics`)).text(),
  ) ?? ['', 'none'];
  return { told: database?.clock, ahead: Number(ahead) };
}

test.each([OFF_SECONDS, -OFF_SECONDS])(
  'a clock of one of three replicas that is %d s off spoils no history, delivery or job',
  { timeout: 300_000 },
  async (seconds) => {
    const { rows, startReplica, turn } = await aPage();
    const receiver = await aReceiver();
    const { counts } = receiver;
    const first = await startReplica();
    await until('somebody keeps the page', async () => (await turn()) !== null);
    const off = await startReplica(clockOff(seconds));
    const [{ id: page }] = (await call(off, '')) as [{ id: string }];
    const tell = (name: string) => call(off, `/${page}/incidents`, { incident: { name } });
    const waiting = () =>
      rows<{ attempts: string; in_ms: number }>(
        `select attempts, cast(next_at - ${NOW} as double precision) as in_ms from status_delivery where next_at is not null`,
      );

    // It says so itself; the other one has nothing to say.
    expect(await clockOf(first)).toMatchObject({ told: undefined });
    const { ahead, told } = await clockOf(off);
    expect(told).toContain(`${OFF_SECONDS} s ${seconds > 0 ? 'ahead of' : 'behind'} the database`);
    expect(Math.abs(ahead - seconds)).toBeLessThan(1);

    // News that it writes are due at once for who sends them.
    await call(off, `/${page}/subscribers`, { subscriber: { endpoint: receiver.url } });
    await tell('one');
    await until('the first one delivers it', async () => counts.size === 1, 2 * SLACK_MS);

    // Jobs on both of them, so long that each looks at the leases of the other.
    const ids: string[] = [];
    const leases = { most: Number.NEGATIVE_INFINITY, least: Number.POSITIVE_INFINITY };
    const deadline = Date.now() + SUBMITTED_FOR_MS;
    for (let index = 0; Date.now() < deadline; index++) {
      const server = index % 2 === 0 ? first : off;
      const { verificationId, text } = await submit(server.url, index, { body: submissionText(`${index}`) });
      ids.push(verificationId ?? expect.fail(text));
      await pause(300);
      for (const { left } of await rows<{ left: number }>(
        `select cast(lease_until - ${NOW} as double precision) as left from verification_job
         where finished_at is null and lease_owner is not null`,
      )) {
        leases.most = Math.max(leases.most, left);
        leases.least = Math.min(leases.least, left);
      }
    }
    expect(await brokenJobs(first.url, ids)).toEqual([]);
    const taken = await rows(`select id from verification_job where is_suspect = 1 or lone_crashes > 0`);
    expect(taken).toEqual([]);
    expect(leases.least).toBeGreaterThan(0);
    expect(leases.most).toBeLessThan(JOB_LEASE_MS + SLACK_MS);

    // It keeps the page.
    const before = await turn();
    await first.stop('SIGTERM');
    await until('the one whose clock is off keeps the page', async () => (await turn()) !== null);
    const third = await startReplica();
    receiver.answer = (response) => void response.writeHead(500).end();
    await tell('two');
    await until('an attempt failed', async () => (await waiting()).some(({ attempts }) => attempts === '1'));
    const [{ in_ms: retryIn } = { in_ms: Number.NaN }] = await waiting();
    expect(retryIn).toBeGreaterThan(60_000 - 3 * SLACK_MS);
    expect(retryIn).toBeLessThanOrEqual(60_000);

    // It is killed while it sends, and leaves nothing behind for later than its lease.
    receiver.answer = () => {};
    await rows(`update status_delivery set next_at = next_at - 60000`);
    await until('it sends again', async () => [...counts.values()].includes(2), 4 * SLACK_MS);
    await off.stop('SIGKILL');
    const [{ left } = { left: Number.NaN }] = await rows<{ left: number }>(
      `select cast(max(leased_until) - ${NOW} as double precision) as left from status_subscriber`,
    );
    expect(left).toBeLessThan(LEASE_MS + SLACK_MS);
    receiver.answer = (response) => void response.end();
    await until('the third one delivers it', async () => (await waiting()).length === 0, TAKEOVER_MS);
    expect(await turn()).toBe((before ?? 0) + 2);

    // Each was received once but for the failed attempt and the one that was killed; nobody was ever away.
    expect([...counts.values()]).toEqual([1, 3]);
    const outages = await rows(`select * from status_component_event where to_status = 'major_outage'`);
    console.log(
      `${seconds} s off: ${ids.length} jobs, leases of ${Math.round(leases.least)} to ${Math.round(leases.most)} ms; ` +
        `retry in ${Math.round(retryIn)} ms; ${Math.round(left)} ms left of the lease of a killed sender; ${outages.length} outages`,
    );
    expect(outages).toEqual([]);
    expect(await rows('select * from status_downtime')).toEqual([]);
    expect(await clockOf(third)).toMatchObject({ told: undefined });
  },
);
