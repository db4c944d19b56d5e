import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { seededRandom } from '../../tools/network/seeded-random.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { seedOf } from '../support/seed.ts';
import { until } from '../support/serve-process.ts';
import { startTestServer } from '../support/test-server.ts';
import { usesPostgres } from '../support/tested-backend.ts';
import { type AttackedServer, startAttacked, TOKEN } from './attacked-server.ts';
import { fuzz } from './fuzz-client.ts';
import { createFuzzer } from './fuzz-requests.ts';
import { type FuzzRoute, fuzzRoutes } from './fuzz-routes.ts';
import { besideInnocents } from './report.ts';

/** `npm run test:fuzz-routes` sends a million, which takes minutes. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 6000);
const SEED = seedOf('routes');
const CONNECTIONS = 24;
const PIPELINED = 8;
const WAIT_TIMEOUT_MS = 30_000;
const IMPORT_MS = 60_000;
/** Memory settles in the first of these parts. */
const PARTS = 10;
const GROWTH_MIB = 64;
const MIN_FOR_GROWTH = 100_000;
const REQUESTS_PER_SECOND = 300;

let server: AttackedServer;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-fuzz-'));
  const streams = join(folder, 'streams');
  // So that good ids lead somewhere.
  await writeStream(writeIntoFolder(streams), {
    mix: 'everything',
    files: 20,
    transactionsPerFile: 60,
    nodes: 1,
    accounts: 20,
    keyBits: 1024,
  });
  const databaseUrl = usesPostgres()
    ? await (await sharedPostgres()).createMigrated()
    : `sqlite:${join(folder, 'l.sqlite')}`;
  server = await startAttacked({ env: { DATABASE_URL: databaseUrl, MIRROR_IMPORT: streams } });
  await until(
    'the ledger is imported',
    async () => (await fetch(`${server.url}/health/readiness`)).ok,
    IMPORT_MS,
  );
}, IMPORT_MS + WAIT_TIMEOUT_MS);
afterAll(async () => {
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function routesOfServer(): Promise<readonly FuzzRoute[]> {
  const { app, close } = await startTestServer({});
  try {
    const routes = fuzzRoutes(app);
    expect(routes.length).toBeGreaterThan(200);
    return routes;
  } finally {
    await close();
  }
}

/** Ids of a page with something on it, so that paths lead somewhere. */
async function setUpPage(): Promise<readonly string[]> {
  const call = async (path: string, body?: object) => {
    const answer = await fetch(`${server.url}/v1/pages${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok).toBe(true);
    return answer.json();
  };
  const [page] = (await call('')) as [{ id: string }];
  const component = (await call(`/${page.id}/components`, { component: { name: 'A' } })) as { id: string };
  const incident = (await call(`/${page.id}/incidents`, { incident: { name: 'I', body: 'b' } })) as {
    id: string;
  };
  // Often, since almost every path of the management API has the page.
  return [page.id, page.id, page.id, page.id, component.id, incident.id, `${incident.id}.json`];
}

test(`${REQUESTS} made-up requests are answered without a fault, each connection serves on`, {
  timeout: 60_000 + (REQUESTS / REQUESTS_PER_SECOND) * 1000,
}, async () => {
  const next = createFuzzer(seededRandom(SEED), await routesOfServer(), await setUpPage());
  const startedAt = performance.now();
  const memory: number[] = [];
  const statuses: Record<string, number> = {};
  let connections = 0;
  await besideInnocents('made-up requests', server, async () => {
    for (let part = 0; part < PARTS; part += 1) {
      const result = await fuzz({
        url: server.url,
        next,
        requests: Math.ceil(REQUESTS / PARTS),
        connections: CONNECTIONS,
        pipelined: PIPELINED,
        patienceMs: WAIT_TIMEOUT_MS,
      });
      connections += result.connections;
      for (const [status, count] of Object.entries(result.statuses)) {
        statuses[status] = (statuses[status] ?? 0) + count;
      }
      const shown = result.findings.map(({ what, request }) => [
        what,
        JSON.stringify(request.bytes.toString('latin1').slice(0, 600)),
      ]);
      expect(shown, `seed ${SEED}`).toEqual([]);
      expect(server.end()).toBeNull();
      memory.push(server.memoryMiB());
      if (REQUESTS >= MIN_FOR_GROWTH) console.log(`fuzz: ${part + 1} of ${PARTS} parts`);
    }
  });
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `fuzz: seed ${SEED}, ${REQUESTS} requests and as many probes over ${connections} connections in ` +
      `${Math.round(seconds)} s; answers ${JSON.stringify(statuses)}; MiB after each tenth: ${memory.join(' ')}`,
  );
  if (REQUESTS >= MIN_FOR_GROWTH) {
    const [half, last] = [memory[PARTS / 2 - 1]!, memory[PARTS - 1]!];
    expect(last - half, `grew from ${half} to ${last} MiB`).toBeLessThanOrEqual(GROWTH_MIB);
  }
});
