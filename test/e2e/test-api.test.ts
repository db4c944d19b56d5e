import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../kit/storage/a-folder.ts';
import { cleanEnvironment, ensureBuilt } from '../support/serve-process.ts';
import { startTestServer } from '../support/test-server.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A server on a port that the system chose, found as a person finds it: in the log. */
async function serveAnywhere(environment: Readonly<Record<string, string>>, cwd: string) {
  ensureBuilt();
  const env = cleanEnvironment({ PORT: '0', DATABASE_URL: 'sqlite::memory:', ...environment });
  const child = spawn(process.execPath, [MAIN, 'serve'], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${log}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const [, found] = / serves (http:\/\/[^\s;]+);/.exec(log) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return { url, child, log: () => log };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

describe('a server on port 0', () => {
  test('names the port that it got in the log, its links and the status page', async () => {
    const { child, url } = await serveAnywhere({ STATUS_PORT: '0' }, aFolder());
    const landing = await (await fetch(url, { headers: { accept: 'application/json' } })).json();
    expect(landing).toMatchObject({ publicUrl: url });
    const summary = (await (await fetch(`${url}/api/v2/summary.json`)).json()) as { page: { url: string } };
    expect(summary.page.url).toBe(`${url}/status`);
    expect(url).not.toMatch(/:0$/);
    expect(await ended(child, 'SIGTERM')).toBe(0);
  });
});

describe('the test API of a served process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-api-'));
  let server: Awaited<ReturnType<typeof serveAnywhere>>;
  beforeAll(async () => {
    server = await serveAnywhere({ LEDGERLENS_TEST_API: 'on' }, folder);
  });
  afterAll(async () => {
    expect(await ended(server.child, 'SIGTERM')).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
  const post = (path: string, body = '') =>
    fetch(`${server.url}/_test/${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    });
  const memo = async () => (await fetch(`${server.url}/api/v1/accounts/0.0.1001`)).status;

  test('says in the log what anybody can do', () => {
    expect(server.log()).toContain('THE TEST API IS ON');
  });

  test('loads, resets and moves the clock', async () => {
    expect(await memo()).toBe(404);
    const loaded = await post('fixtures', '{"kind":"account","account":"0.0.1001"}');
    expect([loaded.status, await loaded.json()]).toEqual([201, { transactions: 0 }]);
    expect(await memo()).toBe(200);
    const moved = await post('clock', '{"now":"2031-05-06T07:08:09Z","stopped":true}');
    expect(await moved.json()).toEqual({ now: '2031-05-06T07:08:09.000Z', stopped: true });
    const advanced = await post('clock', '{"advanceMs":60000}');
    expect(await advanced.json()).toEqual({ now: '2031-05-06T07:09:09.000Z', stopped: true });
    expect((await post('reset')).status).toBe(204);
    expect(await memo()).toBe(404);
    expect(await (await post('clock', '{"advanceMs":0}')).json()).toMatchObject({ stopped: false });
  });

  test.each([
    [
      'fixtures',
      '{"kind":"account","account":"0.0.1001"}\n{"kind":"acount"}',
      { code: 'malformed', line: 2 },
    ],
    ['fixtures', '', { code: 'empty_file' }],
    ['clock', '{"advanceMs":"1"}', { code: 'invalid_clock' }],
    ['clock', '', { code: 'invalid_clock' }],
  ])('%s refuses %j', async (path, body, problem) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ ...problem, message: expect.any(String) });
  });

  test('a fixture of the past is a conflict', async () => {
    const line = (at: number) =>
      `{"consensus_timestamp":"${at}.000000000","name":"CRYPTOTRANSFER","result":"SUCCESS","transaction_id":"0.0.2-1-0"}`;
    expect((await post('fixtures', line(100))).status).toBe(201);
    const answer = await post('fixtures', line(50));
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'fixture_too_old' }),
    ]);
  });
});

test('without the variable nothing of the test API is served', async () => {
  const server = await startTestServer({});
  onTestFinished(() => server.close());
  expect((await fetch(`${server.url}/_test/reset`, { method: 'POST' })).status).toBe(404);
});

describe('readiness while the first import runs', () => {
  /** A fixture that comes when the test writes it: readers of a pipe wait for its writer. */
  function aPipe(): string {
    const path = join(aFolder(), 'late.ndjson');
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    return path;
  }
  const readiness = async (url: string) => {
    const answer = await fetch(`${url}/health/readiness`);
    return { status: answer.status, body: await answer.json() };
  };

  test('is 503 with the progress, then 200; liveness is 200 all the time', async () => {
    const path = aPipe();
    const server = await startTestServer({ env: { MIRROR_IMPORT: path } });
    onTestFinished(() => server.close());
    expect(await readiness(server.url)).toMatchObject({
      status: 503,
      body: { status: 'error', importing: { paths: 1, done: 0, source: path } },
    });
    expect((await fetch(`${server.url}/health/liveness`)).status).toBe(200);
    writeFileSync(path, '{"kind":"account","account":"0.0.1001"}\n');
    await expect.poll(async () => (await readiness(server.url)).status).toBe(200);
    expect((await readiness(server.url)).body).not.toHaveProperty('importing');
    expect((await fetch(`${server.url}/api/v1/accounts/0.0.1001`)).status).toBe(200);
  });

  test('is 200 at once where early answers are wanted, and tells the progress', async () => {
    const path = aPipe();
    const server = await startTestServer({ env: { MIRROR_IMPORT: path, MIRROR_READY: 'at-once' } });
    onTestFinished(() => server.close());
    expect(await readiness(server.url)).toMatchObject({ status: 200, body: { importing: { source: path } } });
    writeFileSync(path, '{"kind":"account","account":"0.0.1001"}\n');
    await expect.poll(async () => (await readiness(server.url)).body).not.toHaveProperty('importing');
  });

  test('a path that cannot be imported does not hold it up for ever', async () => {
    const server = await startTestServer({ env: { MIRROR_IMPORT: '/no/such/file.ndjson' } });
    onTestFinished(() => server.close());
    await expect.poll(async () => (await readiness(server.url)).status).toBe(200);
    expect((await readiness(server.url)).body).toMatchObject({ ingest: [{ state: 'failed' }] });
  });
});
