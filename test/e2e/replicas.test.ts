import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordUnit, START } from '../contracts/ledger-units.ts';
import { aTransaction } from '../kit/mirror/ledger-rows.ts';
import { SUBMISSION } from '../kit/verify/a-queue.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** The chain answers when the test lets it: until then jobs run. */
let release = (_: Response) => {};
let answered: Promise<Response>;
let replicas: readonly TestServer[];
beforeAll(async () => {
  answered = new Promise((resolve) => {
    release = resolve;
  });
  const url = await (await sharedPostgres()).createMigrated();
  const start = () =>
    startTestServer({
      env: {
        DATABASE_URL: url,
        VERIFY_CHAINS: JSON.stringify({ '31337': { name: 'held', rpc: ['http://chain.invalid/'] } }),
      },
      fetch: async () => (await answered).clone(),
    });
  replicas = [await start(), await start()];
});
afterAll(async () => {
  for (const replica of replicas ?? []) await replica.close();
});

const at = (replica: number) => replicas[replica] as TestServer;
async function submit(replica: number, digit: string): Promise<string> {
  const accepted = await fetch(`${at(replica).url}/v2/verify/31337/0x${digit.repeat(40)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: SUBMISSION.input,
      compilerVersion: '0.8.30',
      contractIdentifier: 'a.sol:A',
    }),
  });
  const body = (await accepted.json()) as { readonly verificationId: string };
  expect(accepted.status, JSON.stringify(body)).toBe(202);
  return body.verificationId;
}
const job = async (replica: number, id: string, query = '') =>
  (await (await fetch(`${at(replica).url}/v2/verify/${id}${query}`)).json()) as Record<string, unknown>;

test('a job that one replica accepts is followed, refused twice and cancelled at another', async () => {
  const id = await submit(0, '1');
  expect(await job(1, id)).toMatchObject({ isJobCompleted: false });
  const twice = await fetch(`${at(1).url}/v2/verify/31337/0x${'1'.repeat(40)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stdJsonInput: {}, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' }),
  });
  expect([400, 429]).toContain(twice.status);
  const held = job(1, id, '?wait=60');
  expect((await fetch(`${at(1).url}/v2/verify/${id}`, { method: 'DELETE' })).status).toBeLessThan(300);
  expect(await held).toMatchObject({ isJobCompleted: true, error: { customCode: 'job_cancelled' } });
  // Its place is free at once, also where it ran.
  await expect.poll(async () => (await at(0).store.verify.jobs.count()).running).toBe(0);
});

test('a waiting job is run by whoever is free, and whoever waits for it is told', async () => {
  const [first, second] = [await submit(0, '2'), await submit(0, '3')];
  await expect.poll(async () => (await at(0).store.verify.jobs.count()).running).toBe(2);
  const held = [job(1, first, '?wait=60'), job(0, second, '?wait=60')];
  release(Response.json({ jsonrpc: '2.0', id: 1, result: '0x' }));
  for (const ended of await Promise.all(held)) expect(ended).toMatchObject({ isJobCompleted: true });
});

test('what one replica imports is shown by another at once, newest header and tag included', async () => {
  const list = () => fetch(`${at(1).url}/api/v1/transactions`);
  const before = await list();
  await at(0).services.mirror.ledger.commitUnit(recordUnit('a', { transactions: [aTransaction(START)] }));
  const after = await list();
  expect(await after.json()).toMatchObject({ transactions: [{}] });
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  await expect
    .poll(async () => (await list()).headers.get('x-last-block-consensus-timestamp'))
    .not.toBeNull();
});
