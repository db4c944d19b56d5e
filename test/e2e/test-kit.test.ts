import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { FixtureError, type StartOptions, start, type TestServer } from '../../src/index.ts';
import { aFolder } from '../kit/storage/a-folder.ts';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function started(options: StartOptions = {}): Promise<TestServer> {
  const server = await start(options);
  running.push(server);
  return server;
}

const ACCOUNT = { kind: 'account', account: '0.0.1001', memo: 'first', balance: { balance: 500 } };
const transfer = (at: number) => ({
  consensus_timestamp: `${at}.000000000`,
  name: 'CRYPTOTRANSFER',
  result: 'SUCCESS',
  transaction_id: `0.0.1001-${at - 1}-000000000`,
  transfers: [
    { account: '0.0.1001', amount: -1 },
    { account: '0.0.3', amount: 1 },
  ],
});

const json = async (server: TestServer, path: string) =>
  (await (await fetch(server.url + path)).json()) as Record<string, unknown>;
const transactionsOf = async (server: TestServer) =>
  ((await json(server, '/api/v1/transactions'))['transactions'] as { consensus_timestamp: string }[]).map(
    ({ consensus_timestamp: at }) => at,
  );

describe('a server for tests', () => {
  test('has its fixture, takes more, and tells what its newest transaction is although its clock stands', async () => {
    const server = await started({ fixture: [ACCOUNT, transfer(100)], clock: '2024-01-31T00:00:00Z' });
    expect(server.now()).toBe(Date.parse('2024-01-31T00:00:00Z'));
    expect(await json(server, '/api/v1/accounts/0.0.1001')).toMatchObject({ memo: 'first' });
    expect(await transactionsOf(server)).toEqual(['100.000000000']);
    expect(await server.load(JSON.stringify(transfer(200)))).toEqual({ transactions: 1 });
    const answer = await fetch(`${server.url}/api/v1/transactions?limit=1`);
    expect(answer.headers.get('x-last-block-consensus-timestamp')).toBe('200.000000000');
    expect(await transactionsOf(server)).toEqual(['200.000000000', '100.000000000']);
  });

  test('a fixture without lines leaves the ledger empty, so that the next one may begin it', async () => {
    const server = await started({ fixture: [] });
    await server.load(' \n');
    await server.load([ACCOUNT]);
    expect(await json(server, '/api/v1/accounts/0.0.1001')).toMatchObject({ memo: 'first' });
  });

  test('takes a fixture as text, path and file URL, and integers beyond 2^53 as bigint', async () => {
    const path = join(aFolder(), 'ledger.ndjson');
    writeFileSync(path, `# a comment\n${JSON.stringify(ACCOUNT)}\n`);
    const fixtures = [
      path,
      pathToFileURL(path),
      JSON.stringify(ACCOUNT),
      [{ ...ACCOUNT, balance: { balance: 9_007_199_254_740_993n } }],
    ];
    const [first, second, third, exact] = await Promise.all(fixtures.map((fixture) => started({ fixture })));
    for (const server of [first, second, third]) {
      expect(await json(server as TestServer, '/api/v1/accounts/0.0.1001')).toMatchObject({ memo: 'first' });
    }
    const text = await (await fetch(`${exact?.url}/api/v1/accounts/0.0.1001`)).text();
    expect(text).toContain('"balance":9007199254740993,');
  });

  test('a reset gives the state after the start, on the same connection', async () => {
    const server = await started({ fixture: [ACCOUNT], clock: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const memo = () =>
      new Promise((resolve, reject) => {
        get(`${server.url}/api/v1/accounts/0.0.1002`, { agent }, (answer) => {
          ports.add(answer.socket.localPort);
          answer.resume().on('end', () => resolve(answer.statusCode));
        }).on('error', reject);
      });
    expect(await memo()).toBe(404);
    await server.load([{ ...ACCOUNT, account: '0.0.1002' }, transfer(100)]);
    await server.advance(60_000);
    expect([await memo(), server.now()]).toEqual([200, 60_000]);
    await server.reset();
    expect([await memo(), server.now()]).toEqual([404, 0]);
    expect(await json(server, '/api/v1/accounts/0.0.1001')).toMatchObject({ memo: 'first' });
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  test('requests during resets see all of before or all of after', async () => {
    const server = await started({ fixture: [ACCOUNT] });
    await server.load([transfer(100)]);
    let isDone = false;
    const seen = new Set<string>();
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isDone) seen.add((await transactionsOf(server)).join());
      }),
    );
    for (let round = 0; round < 3; round++) {
      await server.reset();
      await server.load([transfer(100)]);
    }
    isDone = true;
    await asking;
    expect([...seen].filter((list) => !['', '100.000000000'].includes(list))).toEqual([]);
    expect(await transactionsOf(server)).toEqual(['100.000000000']);
  });

  test('servers share nothing', async () => {
    const [one, two] = await Promise.all([started({ fixture: [ACCOUNT] }), started()]);
    expect(one.port).not.toBe(two.port);
    expect((await fetch(`${two.url}/api/v1/accounts/0.0.1001`)).status).toBe(404);
    await one.stop();
    expect((await fetch(`${two.url}/health/readiness`)).status).toBe(200);
  });

  test('its addresses in answers are those of the port that it got', async () => {
    const server = await started();
    const landing = await fetch(server.url, { headers: { accept: 'application/json' } });
    expect(await landing.json()).toMatchObject({ publicUrl: server.url });
    expect(await json(server, '/api/v2/summary.json')).toMatchObject({
      page: { url: `${server.url}/status` },
    });
  });
});

describe('what cannot be used', () => {
  const good = JSON.stringify(ACCOUNT);
  test.each([
    ['a line that is no object', `${good}\n[]`, 2],
    ['a line of an unknown kind', `${good}\n\n{"kind":"acount"}`, 3],
    ['an object with a wrong member', [ACCOUNT, { ...ACCOUNT, balance: 500 }], 2],
    ['an entry that is no object', [ACCOUNT, 5 as unknown as object], 2],
    ['a path without a file', 'no/such/file.ndjson', null],
  ])('%s is refused with its line', async (_what, fixture, line) => {
    await expect(start({ fixture })).rejects.toSatisfy(
      (error) =>
        error instanceof FixtureError &&
        error.line === line &&
        (line === null || error.message.includes(`line ${line}: `)),
    );
  });

  test('a fixture of the past is refused and nothing of it is stored', async () => {
    const server = await started({ fixture: [transfer(100)] });
    await expect(server.load([transfer(50)])).rejects.toMatchObject({ code: 'fixture_too_old', line: null });
    expect(await transactionsOf(server)).toEqual(['100.000000000']);
  });

  test.each([
    [{ env: { PORT: '80' } }, 'env.PORT: use the option port'],
    [{ env: { DATABASE_URL: 'sqlite:x' } }, 'env.DATABASE_URL: the database is always in memory'],
    [{ env: { MIRROR_DIALEKT: 'spec' } }, 'did you mean MIRROR_DIALECT?'],
    [{ port: 70_000 }, 'port: must be an integer from 0 to 65535'],
    [{ clock: 'yesterday' }, 'clock must be an instant such as'],
    [{ chains: { 31337: {} } }, '31337'],
  ] as [StartOptions, string][])('the options %j are refused: %s', async (options, text) => {
    await expect(start(options)).rejects.toThrow(text);
  });

  test('a server that was stopped says so', async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await expect(server.reset()).rejects.toMatchObject({ code: 'server_stopped' });
    await expect(fetch(server.url)).rejects.toThrow();
  });
});

test('a server reads nothing of the environment and writes nothing to disk', async () => {
  const folder = mkdtempSync(join(aFolder(), 'empty-'));
  const before = { cwd: process.cwd(), TMPDIR: process.env['TMPDIR'] };
  process.env['TMPDIR'] = folder;
  process.env['DATABASE_URL'] = 'nonsense';
  process.env['MIRROR_NO_SUCH_VARIABLE'] = '1';
  process.chdir(folder);
  try {
    const server = await started({ fixture: [ACCOUNT] });
    await server.reset();
    await server.stop();
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    process.chdir(before.cwd);
    for (const name of ['DATABASE_URL', 'MIRROR_NO_SUCH_VARIABLE']) delete process.env[name];
    if (before.TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before.TMPDIR;
  }
});

test('nothing of the process keeps what was reset or stopped', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const parts = await useAndStop();
  await expect
    .poll(async () => {
      await sleep(10);
      collectGarbage();
      return parts.filter((part) => part.deref() !== undefined).length;
    })
    // A local of the last call may live on in its frame.
    .toBeLessThanOrEqual(1);
});

/** Something that only the parts of each server hold. */
async function useAndStop(): Promise<WeakRef<object>[]> {
  const parts: WeakRef<object>[] = [];
  for (let index = 0; index < 4; index++) {
    const own: typeof fetch = async (...request) => fetch(...request);
    const server = await start({ fetch: own });
    await json(server, '/api/v1/accounts');
    await server.reset();
    await (await fetch(`${server.url}/metrics`)).text();
    await server.stop();
    parts.push(new WeakRef(own));
  }
  return parts;
}
