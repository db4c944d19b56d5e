import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type StartOptions, start, type TestServer } from '../../src/index.ts';
import { createStatusToken } from '../../src/status/index.ts';
import { startThread } from '../../src/threads/start-thread.ts';

vi.mock('../../src/app.ts', { spy: true });
vi.mock('../../src/threads/start-thread.ts', { spy: true });

/** A contract with what it was made of, as `ledgerlens demo` has it. */
const { address, creationBytecode, runtimeBytecode, submission } = JSON.parse(
  readFileSync(new URL('../../src/commands/demo-contract.json', import.meta.url), 'utf8'),
) as { address: string; creationBytecode: string; runtimeBytecode: string; submission: object };

async function started(options: StartOptions): Promise<TestServer> {
  const server = await start(options);
  onTestFinished(() => server.stop());
  return server;
}

async function submit({ url }: TestServer): Promise<{ readonly status: number; readonly body: object }> {
  const answer = await fetch(`${url}/v2/verify/31337/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(submission),
  });
  return { status: answer.status, body: (await answer.json()) as object };
}

/** Submits and waits for the end. @returns the grade of the runtime code. */
async function verify(server: TestServer): Promise<unknown> {
  const { body, status } = await submit(server);
  expect(status).toBe(202);
  const { verificationId } = body as { verificationId: string };
  const path = `${server.url}/v2/verify/${verificationId}`;
  await expect
    .poll(async () => ((await (await fetch(path)).json()) as { isJobCompleted: boolean }).isJobCompleted)
    .toBe(true);
  const { contract } = (await (await fetch(path)).json()) as { contract: { runtimeMatch: unknown } };
  return contract.runtimeMatch;
}

test('a contract that was deployed anew at its address is verified anew, also after a reset', async () => {
  const server = await started({
    chains: { 31337: { static: { [address]: { runtimeBytecode, creationBytecode } } } },
  });
  expect(await verify(server)).toBe('exact_match');
  expect(await submit(server)).toMatchObject({ status: 409, body: { customCode: 'already_verified' } });
  server.setCode(31337, address, { runtimeBytecode: otherMetadata(runtimeBytecode) });
  expect(await verify(server)).toBe('match');
  const stored = await fetch(`${server.url}/v2/contract/31337/${address}`);
  expect(await stored.json()).toMatchObject({ runtimeMatch: 'match' });

  await server.reset();
  expect((await fetch(`${server.url}/v2/contract/31337/${address}`)).status).toBe(404);
  expect(await verify(server)).toBe('exact_match');

  server.setCode(31337, address, null);
  expect(await verify(server)).toBeNull();
  expect(() => server.setCode(1, address, null)).toThrow('must be a configured chain with "static"');
  expect(() => server.setCode(31337, address, { runtimeBytecode: '0xZ' })).toThrow('runtimeBytecode');
});

/** What a compiler makes of the same source with another comment: another hash in the metadata at the end. */
function otherMetadata(code: string): string {
  const mark = 'a2646970667358221220';
  const at = code.lastIndexOf(mark) + mark.length;
  return code.slice(0, at) + (code.startsWith('00', at) ? '01' : '00') + code.slice(at + 2);
}

const ANSWERS = [
  ...['/', '/health/readiness', '/chains', '/status', '/status/history', '/verify-ui', '/repo-ui', '/ledger'],
  ...['summary', 'components', 'incidents', 'scheduled-maintenances'].map((name) => `/api/v2/${name}.json`),
  ...[
    'accounts',
    'accounts/0.0.1001',
    'balances',
    'blocks',
    'transactions',
    'network/nodes',
    'network/supply',
  ].map((path) => `/api/v1/${path}`),
  ...[
    `/v2/contract/31337/${address}`,
    `/v2/contracts/31337`,
    '/status/history.atom',
    '/ledger/accounts/0.0.1001',
  ],
];
/** Of requests, which differ each time. */
const VARYING = ['date', 'x-request-id', 'request-id'];

async function answersOf({ url }: TestServer): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const path of ANSWERS) {
    const answer = await fetch(url + path);
    const headers = [...answer.headers].filter(([name]) => !VARYING.includes(name));
    const text = `${path} ${answer.status} ${JSON.stringify(headers)}\n${await answer.text()}`;
    answers.push(text.replaceAll(/"errorId":"[^"]+"/g, '"errorId":""'));
  }
  return answers;
}

/** Names ports, random ids and what is made of them by their order. */
function withoutIds(answers: readonly string[]): string {
  const seen = new Map<string, string>();
  return answers
    .join('\n')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/"(?:etag|content-length)","(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\b[0-9a-z]{12}\b/g, (id) => {
      if (!seen.has(id)) seen.set(id, `ID${seen.size}`);
      return seen.get(id) ?? '';
    });
}

test.each([
  { name: 'nothing runs', jobRuns: false },
  { name: 'a job runs', jobRuns: true },
])(
  'after a reset while $name every answer is that of the start, and of a fresh server',
  async ({ jobRuns }) => {
    const token = createStatusToken('test', 'write', (count) => randomBytes(count));
    const options: StartOptions = {
      fixture: [{ kind: 'account', account: '0.0.1001', memo: 'first', balance: { balance: 500 } }],
      chains: { 31337: { static: { [address]: { runtimeBytecode, creationBytecode } } } },
      clock: '2024-01-31T00:00:00Z',
      env: { STATUS_TOKENS: token.line },
    };
    const server = await started(options);
    const atStart = await answersOf(server);
    const { url } = server;
    for (let round = 0; round < 2; round++) {
      await server.load([
        { kind: 'account', account: '0.0.1002', balance: { balance: 7 } },
        {
          consensus_timestamp: '1706659201.000000000',
          name: 'CRYPTOTRANSFER',
          result: 'SUCCESS',
          transaction_id: '0.0.1001-1706659200-000000000',
        },
      ]);
      await server.advance(3_600_000);
      const { id } = ((await (await fetch(`${url}/api/v2/summary.json`)).json()) as { page: { id: string } })
        .page;
      const incident = await fetch(`${url}/v1/pages/${id}/incidents`, {
        method: 'POST',
        headers: { authorization: `OAuth ${token.text}`, 'content-type': 'application/json' },
        body: JSON.stringify({ incident: { name: 'Down', status: 'investigating' } }),
      });
      expect(incident.status).toBe(201);
      if (jobRuns) expect((await submit(server)).status).toBe(202);
      else expect(await verify(server)).toBe('exact_match');
      expect(await answersOf(server)).not.toEqual(atStart);
      await server.reset();
      // Components are measured again.
      await server.advance(0);
      const after = await answersOf(server);
      if (jobRuns) expect(withoutIds(after)).toBe(withoutIds(atStart));
      else expect(after).toEqual(atStart);
    }
    expect(withoutIds(await answersOf(await started(options)))).toBe(withoutIds(atStart));
  },
);

test('a reset keeps port, application and loaded compilers', async () => {
  const compilers = () =>
    vi.mocked(startThread).mock.calls.filter(([name]) => name.endsWith('/compiler-worker')).length;
  const server = await started({
    chains: { 31337: { static: { [address]: { runtimeBytecode, creationBytecode } } } },
  });
  vi.mocked(buildApp).mockClear();
  vi.mocked(startThread).mockClear();
  const took: number[] = [];
  for (let round = 0; round < 3; round++) {
    expect(await verify(server)).toBe('exact_match');
    const before = process.cpuUsage();
    await server.reset();
    const { system, user } = process.cpuUsage(before);
    took.push(Math.round((system + user) / 1000));
    expect((await fetch(`${server.url}/v2/contract/31337/${address}`)).status).toBe(404);
  }
  console.log(`resets took ${took.join(', ')} ms of processor time`);
  expect(buildApp).not.toHaveBeenCalled();
  expect(compilers()).toBe(1);
});

test('a maintenance begins and ends when the clock is moved there', async () => {
  const token = createStatusToken('test', 'write', (count) => randomBytes(count));
  const server = await started({
    clock: '2024-01-31T00:00:00Z',
    env: { STATUS_TOKENS: token.line },
  });
  const page = ((await (await fetch(`${server.url}/api/v2/summary.json`)).json()) as { page: { id: string } })
    .page;
  const created = await fetch(`${server.url}/v1/pages/${page.id}/incidents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `OAuth ${token.text}` },
    body: JSON.stringify({
      incident: {
        name: 'Upgrade',
        status: 'scheduled',
        scheduled_for: '2024-01-31T00:10:00Z',
        scheduled_until: '2024-01-31T00:40:00Z',
        scheduled_auto_in_progress: true,
        scheduled_auto_completed: true,
      },
    }),
  });
  expect(created.status).toBe(201);
  const maintenances = async () =>
    (
      (await (await fetch(`${server.url}/api/v2/scheduled-maintenances.json`)).json()) as {
        scheduled_maintenances: { status: string; resolved_at: string | null }[];
      }
    ).scheduled_maintenances.map(({ status }) => status);
  expect(await maintenances()).toEqual(['scheduled']);
  await server.advance(9 * 60_000);
  expect(await maintenances()).toEqual(['scheduled']);
  await server.advance(60_000);
  expect(await maintenances()).toEqual(['in_progress']);
  await server.advance(30 * 60_000);
  expect(await maintenances()).toEqual(['completed']);
  await server.reset();
  expect(await maintenances()).toEqual([]);
});
