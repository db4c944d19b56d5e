import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ANY_JOB, aLease, aQueue, closeQueues } from '../../../test/kit/verify/a-queue.ts';
import type { Hex } from '../../values/hex.ts';
import { execute, purge } from './jobs.ts';

let folder: string;
let file: string;
const printed: string[] = [];

beforeEach(async () => {
  printed.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'jobs-command-'));
  file = join(folder, 'queue.sqlite');
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((text: string) => void printed.push(text));
  }
  const { insert, jobs } = await aQueue(file);
  for (const [at, client] of ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2'].entries()) {
    const address: Hex = `0x${String(at).padStart(40, '0')}`;
    await insert(address, { client, id: `job-${at}`, startedAt: at });
  }
  await jobs.claim(aLease('a server', Date.now()), ANY_JOB);
  await closeQueues();
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

async function jobs(words: string, client?: string) {
  printed.length = 0;
  const values = client === undefined ? { json: true } : { client };
  const env = { DATABASE_URL: `sqlite:${file}` };
  const exitCode = await execute({ positionals: words.split(' '), values, env });
  return { exitCode, text: printed.join('\n') };
}
const listed = async () =>
  (JSON.parse((await jobs('list')).text) as { readonly id: string; readonly state: string }[]).map(
    ({ id, state }) => `${id} ${state}`,
  );

test('jobs lists what has not finished, and cancels what is named, of a client, or all that waits', async () => {
  expect(await listed()).toEqual(['job-0 running', 'job-3 waiting', 'job-1 waiting', 'job-2 waiting']);
  expect(await jobs('cancel job-1 job-9')).toEqual({
    exitCode: 1,
    text: 'There is no job job-9\n1 cancelled',
  });
  expect(await jobs('cancel job-1')).toEqual({
    exitCode: 1,
    text: 'Job job-1 has already finished\n0 cancelled',
  });
  expect(await jobs('purge', '10.0.0.1')).toEqual({ exitCode: 0, text: '1 cancelled' });
  expect(await listed()).toEqual(['job-0 running', 'job-3 waiting']);
  expect(await jobs('purge')).toEqual({ exitCode: 0, text: '1 cancelled' });
  expect(await listed()).toEqual(['job-0 running']);
  await expect(jobs('bogus')).rejects.toThrow('the actions are: list, cancel, purge');
});

test('jobs purge leaves what a server claims meanwhile', async () => {
  const { jobs } = await aQueue(file);
  const unfinished = async () => {
    const found = await jobs.unfinished();
    await jobs.claim(aLease('a server', Date.now()), ANY_JOB);
    return found;
  };
  await purge({ jobs: { ...jobs, unfinished }, clock: { now: () => 7 } });
  await closeQueues();
  expect(printed).toEqual(['2 cancelled']);
  expect(await listed()).toEqual(['job-0 running', 'job-3 running']);
});
