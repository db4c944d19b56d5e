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
  const ask = async () => {
    const begin = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const { headers, status } = await fetch(
          `${server.url}${PATHS[index % PATHS.length]}?limit=${index + 1}`,
        );
        return { status, isTold: headers.has('retry-after') };
      }),
    );
    return { answers, ms: performance.now() - begin };
  };
  expect((await ask()).answers.every(({ status }) => status === 200)).toBe(true);
  proxy.hold();
  const { answers, ms } = await ask();
  expect(ms).toBeLessThan(ANSWERED_MS);
  expect(answers.filter(({ isTold, status }) => status !== 200 && !(status === 503 && isTold))).toEqual([]);
  const again = await ask();
  expect(again.answers.every(({ status }) => status === 200)).toBe(true);
  expect((await fetch(`${server.url}/health/readiness`)).status).toBe(200);
});
