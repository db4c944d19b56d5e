import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { brokenJobs } from '../attack/contracts.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { usesPostgres } from '../support/tested-backend.ts';
import { loadUntilGone, manage, nothingAcknowledged } from './mixed-load.ts';

/** `npm run test:soak` asks for half an hour. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 15);
const SAMPLES = 60;
/** Before, compilers are loaded and caches fill. */
const WARM_UP = SAMPLES / 3;
/** What a heap swings by between two collections. */
const SWING_MIB = 48;
const SWING_SHARE = 1.1;
/** Requests that are under way when it is looked. */
const SWING_HANDLES = 8;

interface Sample {
  readonly memoryMiB: number;
  readonly handles: number;
  readonly connections: number;
}

let server: AttackedServer;
beforeAll(async () => {
  const url = usesPostgres() ? await (await sharedPostgres()).createMigrated() : null;
  server = await startAttacked({ env: url === null ? {} : { DATABASE_URL: url } });
});
afterAll(() => server?.remove());

function sample(): Sample {
  const { pid } = server.child;
  const handles = readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`));
  return {
    memoryMiB: server.memoryMiB(),
    handles: handles.length,
    connections: handles.filter((link) => link.startsWith('socket:')).length,
  };
}

/** Empty for one that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

test(`${SECONDS} seconds of mixed load leave memory, handles and connections as they were`, {
  timeout: 120_000 + SECONDS * 2000,
}, async () => {
  const [page] = await manage<[{ id: string }]>(server.url, 'GET', '');
  const { id } = await manage<{ id: string }>(server.url, 'POST', `/${page.id}/components`, {
    component: { name: 'A' },
  });
  const seen = nothingAcknowledged();
  const load = loadUntilGone(server.url, `/${page.id}/components/${id}`, seen);
  const samples: Sample[] = [];
  for (let taken = 0; taken < SAMPLES; taken++) {
    await pause((SECONDS * 1000) / SAMPLES);
    expect(server.end(), 'ended by itself').toBeNull();
    samples.push(sample());
  }
  const third = (SAMPLES - WARM_UP) / 2;
  const [first, last] = [samples.slice(WARM_UP, WARM_UP + third), samples.slice(-third)];
  const medians = (of: readonly Sample[]): Sample => ({
    memoryMiB: median(of.map(({ memoryMiB }) => memoryMiB)),
    handles: median(of.map(({ handles }) => handles)),
    connections: median(of.map(({ connections }) => connections)),
  });
  const [before, after] = [medians(first), medians(last)];
  expect(await brokenJobs(server.url, seen.jobs)).toEqual([]);
  await server.stop('SIGKILL');
  await load;
  console.log(
    `${SECONDS} s: ${seen.jobs.length} jobs, ${seen.note} changes of the status page, ${seen.reads} pages; ` +
      `medians of the middle and the last third: ${JSON.stringify(before)}, ${JSON.stringify(after)}`,
  );
  expect(seen.jobs.length).toBeGreaterThan(0);
  expect(after.handles).toBeLessThanOrEqual(before.handles + SWING_HANDLES);
  expect(after.connections).toBeLessThanOrEqual(before.connections + SWING_HANDLES);
  // A short run is over before compilers and caches are what they will be.
  if (SECONDS >= 600) expect(after.memoryMiB).toBeLessThanOrEqual(SWING_SHARE * before.memoryMiB + SWING_MIB);
});

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
