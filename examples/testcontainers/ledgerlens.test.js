import { GenericContainer, Wait } from 'testcontainers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

// No image is published: build one in a checkout and name it here.
const IMAGE = process.env.LEDGERLENS_IMAGE;
if (!IMAGE)
  throw new Error(
    'set LEDGERLENS_IMAGE, for example to ledgerlens:0.1.0 after docker build --tag ledgerlens:0.1.0 .',
  );
const ACCOUNT = '{"kind":"account","account":"0.0.1001","balance":{"balance":500}}';

let container;
let url;

beforeAll(async () => {
  container = await new GenericContainer(IMAGE)
    .withEnvironment({
      DATABASE_URL: 'sqlite::memory:',
      // In a container the server cannot listen on loopback only; the port is reachable from this machine only.
      LEDGERLENS_TEST_API: 'on-any-address',
    })
    .withExposedPorts(8080)
    .withWaitStrategy(Wait.forHttp('/health/readiness', 8080))
    .start();
  url = `http://${container.getHost()}:${container.getMappedPort(8080)}`;
}, 120_000);
beforeEach(() => fetch(`${url}/_test/reset`, { method: 'POST' }));
afterAll(() => container?.stop());

test('loads a ledger and reads it', async () => {
  const loaded = await fetch(`${url}/_test/fixtures`, { method: 'POST', body: ACCOUNT });
  expect(loaded.status).toBe(201);
  const account = await (await fetch(`${url}/api/v1/accounts/0.0.1001`)).json();
  expect(account.balance.balance).toBe(500);
});

test('starts without data of the previous test', async () => {
  expect((await fetch(`${url}/api/v1/accounts/0.0.1001`)).status).toBe(404);
});
