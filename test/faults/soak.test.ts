import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type AttackedServer, startAttacked } from '../attack/attacked-server.ts';
import { brokenJobs } from '../attack/contracts.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { usesPostgres } from '../support/tested-backend.ts';
import { type Acknowledged, manage, nothingAcknowledged, startLoad } from './mixed-load.ts';

/** `npm run test:soak` asks for half an hour. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 15);
const SAMPLES = 60;
/** The management API takes 600 changes of a token a minute. */
const CHANGE_PAUSE_MS = 110;
/** Before, compilers are loaded and caches fill. */
const WARM_UP = SAMPLES / 3;
/** What a heap swings by between two collections. */
const SWING_MIB = 48;
const SWING_SHARE = 1.1;
/** Requests that are under way when it is looked. */
const SWING_HANDLES = 8;

interface Holdings {
  readonly memoryMiB: number;
  readonly handles: number;
  readonly connections: number;
}

/** Acknowledged since the start. */
interface Work {
  readonly jobs: number;
  readonly changes: number;
  readonly pages: number;
}

type Sample = Holdings & Work;

let server: AttackedServer;
beforeAll(async () => {
  const url = usesPostgres() ? await (await sharedPostgres()).createMigrated() : null;
  server = await startAttacked({ env: url === null ? {} : { DATABASE_URL: url } });
});
afterAll(() => server?.remove());

function sample({ jobs, changes, reads }: Acknowledged): Sample {
  const { pid } = server.child;
  const handles = readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`));
  return {
    memoryMiB: server.memoryMiB(),
    handles: handles.length,
    connections: handles.filter((link) => link.startsWith('socket:')).length,
    jobs: jobs.length,
    changes,
    pages: reads,
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
  const load = startLoad(server.url, `/${page.id}/components/${id}`, seen, {
    changePauseMs: CHANGE_PAUSE_MS,
  });
  onTestFinished(() => load.stop());
  const samples: Sample[] = [];
  for (let taken = 0; taken < SAMPLES; taken++) {
    await pause((SECONDS * 1000) / SAMPLES);
    expect(server.end(), 'ended by itself').toBeNull();
    samples.push(sample(seen));
  }
  await load.stop();
  const third = (SAMPLES - WARM_UP) / 2;
  const [middle, last] = [samples.slice(WARM_UP, WARM_UP + third), samples.slice(-third)];
  const [before, after] = [medians(middle), medians(last)];
  const [workBefore, workAfter] = [workIn(middle), workIn(last)];
  console.log(
    `${SECONDS} s: ${seen.jobs.length} jobs, ${seen.changes} changes of the status page, ${seen.reads} pages; ` +
      `in the middle and the last third ${JSON.stringify(workBefore)}, ${JSON.stringify(workAfter)}; ` +
      `medians ${JSON.stringify(before)}, ${JSON.stringify(after)}`,
  );
  expect(await brokenJobs(server.url, seen.jobs)).toEqual([]);
  // An idle server would leave everything as it was.
  for (const [what, count] of Object.entries(workAfter)) expect(count, what).toBeGreaterThan(0);
  expect(after.handles).toBeLessThanOrEqual(before.handles + SWING_HANDLES);
  expect(after.connections).toBeLessThanOrEqual(before.connections + SWING_HANDLES);
  // A short run is over before compilers and caches are what they will be.
  if (SECONDS >= 600) expect(after.memoryMiB).toBeLessThanOrEqual(SWING_SHARE * before.memoryMiB + SWING_MIB);
});

function medians(samples: readonly Sample[]): Holdings {
  return {
    memoryMiB: median(samples.map(({ memoryMiB }) => memoryMiB)),
    handles: median(samples.map(({ handles }) => handles)),
    connections: median(samples.map(({ connections }) => connections)),
  };
}

function workIn(samples: readonly Sample[]): Work {
  const [from, to] = [samples[0]!, samples.at(-1)!];
  return { jobs: to.jobs - from.jobs, changes: to.changes - from.changes, pages: to.pages - from.pages };
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
