import { expect, onTestFinished, test } from 'vitest';
import { sharedPostgres } from '../support/postgres.ts';
import { startPostgresProxy } from '../support/postgres-proxy.ts';
import { startTestServer } from '../support/test-server.ts';

/** Silence is noticed after five seconds, and a look for it may have just been. */
const ANSWERED_MS = 12_000;
const PATHS = ['/api/v1/transactions', '/api/v1/accounts', '/api/v1/blocks', '/api/v1/tokens'];

test('a database whose connections all go silent is back after seconds, and nobody waits for ever', {
  timeout: 120_000,
}, async () => {
  const proxy = await startPostgresProxy(await (await sharedPostgres()).createMigrated());
  onTestFinished(() => proxy.close());
  const server = await startTestServer({ env: { DATABASE_URL: proxy.url } });
  onTestFinished(() => server.close());
  const ask = () =>
    Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        // Every other one asks what others ask as well.
        const path = `${PATHS[index % PATHS.length]}?limit=${index % 2 === 0 ? 1 : index + 1}`;
        const { headers, status } = await fetch(server.url + path, {
          signal: AbortSignal.timeout(ANSWERED_MS),
        });
        return status === 503 && headers.has('retry-after') ? 'told' : status;
      }),
    );
  const served = new Set([200]);
  expect(new Set(await ask())).toEqual(served);
  proxy.hold();
  for (const answer of await ask()) expect([200, 'told']).toContain(answer);
  expect(new Set(await ask())).toEqual(served);
  expect((await fetch(`${server.url}/health/readiness`)).status).toBe(200);
});
