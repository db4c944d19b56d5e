import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { SummaryDocument } from '../../src/status/documents/schemas.ts';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { brokenJobs, readJob, submit, uncompilableSubmission } from './contracts.ts';
import { besideInnocents } from './report.ts';

const SHORT_SECONDS = 1;
const ACCEPTED = 3;
const SHOWN_WITHIN_MS = 90_000;

const servers: AttackedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
});

/** A server with some verifications that have ended. */
async function startUsed(): Promise<{ server: AttackedServer; accepted: string[] }> {
  const server = await startAttacked();
  servers.push(server);
  const accepted: string[] = [];
  for (let index = 0; index < ACCEPTED; index += 1) {
    const { verificationId, text } = await submit(server.url, index, { body: uncompilableSubmission() });
    accepted.push(verificationId ?? expect.fail(text));
  }
  expect(await brokenJobs(server.url, accepted)).toEqual([]);
  return { server, accepted };
}

const statusOf = async (url: string) => (await fetch(url, { signal: AbortSignal.timeout(20_000) })).status;

/** Submits for the time of the attack. @returns what came. */
async function submitFor(server: AttackedServer, accepted: string[]): Promise<readonly number[]> {
  const deadline = Date.now() + attackMs(SHORT_SECONDS);
  const statuses: number[] = [];
  for (let turn = 100; statuses.length === 0 || Date.now() < deadline; turn += 1) {
    const { status, verificationId } = await submit(server.url, turn, { body: uncompilableSubmission() });
    statuses.push(status);
    if (verificationId !== null) accepted.push(verificationId);
    expect(await statusOf(`${server.url}/health/liveness`)).toBe(200);
    await pause(50);
  }
  return statuses;
}

const isDatabaseRed = async (url: string) => {
  const { components } = (await (await fetch(`${url}/api/v2/summary.json`)).json()) as SummaryDocument;
  return components.some(({ name, status }) => /database/i.test(name) && /outage/.test(status));
};

/** The full form tries all of it. */
const WAYS: readonly (readonly [string, (path: string) => void])[] = [
  ['deleted', (path) => renameSync(path, `${path}.away`)],
  ...(IS_FULL
    ? [
        [
          'replaced by a copy',
          (path: string) => {
            copyFileSync(path, `${path}.copy`);
            renameSync(path, `${path}.away`);
            renameSync(`${path}.copy`, path);
          },
        ] as const,
      ]
    : []),
];

describe('a database file that is', () => {
  test.each(WAYS)(
    '%s takes no writes until it is back',
    { ...attackTimeout(SHORT_SECONDS) },
    async (what, take) => {
      const { server, accepted } = await startUsed();
      const { database, url } = server;
      take(database);
      const before = accepted.length;
      const statuses = await besideInnocents(`a database ${what}`, server, () => submitFor(server, accepted));
      expect(new Set(statuses)).toEqual(new Set([503]));
      expect(accepted).toHaveLength(before);
      expect(await statusOf(`${url}/health/readiness`)).toBe(503);
      expect(await statusOf(`${url}/api/v1/transactions`)).toBe(200);
      // The status page takes its time to be sure.
      if (IS_FULL) await until('the status page shows it', () => isDatabaseRed(url), SHOWN_WITHIN_MS);
      expect(server.log()).toMatch(/database file|l\.sqlite (was|is)/i);

      renameSync(`${database}.away`, database);
      await until('a submission is taken again', async () => {
        const { verificationId } = await submit(url, 50);
        if (verificationId !== null) accepted.push(verificationId);
        return verificationId !== null;
      });
      await until('it is ready', async () => (await statusOf(`${url}/health/readiness`)) === 200);
      expect(await brokenJobs(url, accepted)).toEqual([]);
      expect(await server.stop('SIGTERM'), server.log().slice(-2000)).toBe(0);
      console.log(`database ${what}: ${accepted.length} accepted, all kept`);
    },
  );
});

/** What may happen to the files under a running server; the full form tries all of it. */
const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
  ['the database truncated to nothing', (path) => truncateSync(path, 0)],
  ['the log deleted', (path) => rmSync(`${path}-wal`)],
  ...(IS_FULL
    ? [
        ['the database truncated to 10 000 bytes', (path: string) => truncateSync(path, 10_000)] as const,
        ['the log truncated to nothing', (path: string) => truncateSync(`${path}-wal`, 0)] as const,
        [
          'the index of the log truncated to nothing',
          (path: string) => truncateSync(`${path}-shm`, 0),
        ] as const,
        ['the index of the log deleted', (path: string) => rmSync(`${path}-shm`)] as const,
      ]
    : []),
];

test.each(DAMAGES)(
  'with %s nothing hangs, and what is acknowledged afterwards is kept',
  {
    ...attackTimeout(SHORT_SECONDS),
  },
  async (what, harm) => {
    const { server } = await startUsed();
    const afterwards: string[] = [];
    harm(server.database);
    // Whatever the log had that the database has not is lost: the whole ledger, which was just imported.
    const maxRefused = /the log truncated to nothing/.test(what) ? 1 : undefined;
    const submitted = () =>
      submitFor(server, afterwards).catch(async (error: unknown) => {
        // SQLite maps the index of its log: where the file ends, so does the process. An orchestrator starts it again.
        if (!/index of the log truncated/.test(what)) throw error;
        await until('the process has ended', async () => server.child.signalCode === 'SIGBUS');
        return [];
      });
    const statuses = await besideInnocents(what, server, submitted, maxRefused);
    for (const status of statuses) expect([202, 503]).toContain(status);
    for (const path of server.end() === null ? ['/api/v1/transactions', '/api/v2/summary.json'] : []) {
      expect([200, 503]).toContain(await statusOf(server.url + path));
    }
    await server.stop('SIGKILL');
    let lost = 0;
    if (afterwards.length > 0) {
      const next = await startAttacked({ folder: server.folder });
      servers.unshift(next);
      for (const id of afterwards) if ((await readJob(next.url, id)) === null) lost += 1;
    }
    console.log(
      `${what}: ${statuses.length} submissions, ${afterwards.length} acknowledged, ${lost} of them lost; ` +
        `the process ${server.child.signalCode === 'SIGBUS' ? 'ended by SIGBUS' : 'lived'}`,
    );
    expect(lost).toBe(0);
  },
);
