import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { start } from 'ledgerlens';

const counter = JSON.parse(readFileSync(new URL('counter.json', import.meta.url), 'utf8'));
const ADDRESS = `0x${'c0'.repeat(20)}`;

let server;

beforeAll(async () => {
  server = await start({
    fixture: [{ kind: 'account', account: '0.0.1001', balance: { balance: 500 } }],
    chains: { 31338: { static: { [ADDRESS]: { runtimeBytecode: counter.runtimeBytecode } } } },
    clock: '2024-01-31T00:00:00Z',
  });
});
beforeEach(() => server.reset());
afterAll(() => server?.stop());

const get = async (path) => (await fetch(server.url + path)).json();

test('verifies a contract', async () => {
  const submitted = await fetch(`${server.url}/v2/verify/31338/${ADDRESS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(counter.submission),
  });
  expect(submitted.status).toBe(202);
  const { verificationId } = await submitted.json();
  await get(`/v2/verify/${verificationId}?wait=60`);
  expect(await get(`/v2/contract/31338/${ADDRESS}`)).toMatchObject({ match: 'exact_match' });
});

test('starts without data of the previous test, but with the fixture', async () => {
  expect((await fetch(`${server.url}/v2/contract/31338/${ADDRESS}`)).status).toBe(404);
  expect(await get('/api/v1/accounts/0.0.1001')).toMatchObject({ balance: { balance: 500 } });
});

test('loads more data and advances the clock', async () => {
  await server.load([
    {
      consensus_timestamp: '1706659201.000000000',
      name: 'CRYPTOTRANSFER',
      result: 'SUCCESS',
      transaction_id: '0.0.1001-1706659200-000000000',
    },
  ]);
  expect((await get('/api/v1/transactions')).transactions).toHaveLength(1);
  const before = server.now();
  await server.advance(60_000);
  expect(server.now() - before).toBe(60_000);
});
