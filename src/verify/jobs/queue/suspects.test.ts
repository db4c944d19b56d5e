import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { aQueue, closeQueues, type TestQueue } from '../../../../test/kit/verify/a-queue.ts';
import { innocent, POISON, World } from '../../../../test/kit/verify/dying-servers.ts';
import { seedOf } from '../../../../test/support/seed.ts';
import type { Hex } from '../../../values/hex.ts';

afterEach(closeQueues);

const LIMITS = { jobs: 10_000, bytes: 1e9 };

async function errorsOf(
  { jobs }: TestQueue,
  ids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  return Promise.all(ids.map(async (id) => (await jobs.find(id))?.error?.code));
}

describe('jobs of a process that died', () => {
  test.each([1, 2, 3])('one poison job takes none of its neighbours with it (seed %i)', async (seed) => {
    const world = new World(seed, await aQueue());
    const ids = Array.from({ length: 40 }, () => randomUUID());
    for (const [index, id] of ids.entries()) {
      await world.queue.insert(index === 5 ? POISON : innocent(index), {
        id,
        startedAt: index,
        limits: LIMITS,
      });
    }
    while ((await world.queue.jobs.count()).waiting + (await world.queue.jobs.count()).running > 0) {
      await world.pass(100, 2);
    }
    const errors = await errorsOf(world.queue, ids);
    expect(errors.filter((code) => code === 'job_abandoned')).toHaveLength(1);
    expect(errors[5]).toBe('job_abandoned');
    expect(errors.filter((code) => code === 'compiler_error')).toHaveLength(39);
    // Once in company, then alone.
    expect(world.companies[0]).toBeGreaterThan(1);
    expect(world.companies.slice(1)).toEqual([1, 1, 1]);
    await world.close();
  });

  test('200 deaths under load with one poison job: no innocent job is abandoned', {
    timeout: 120_000,
  }, async () => {
    const seed = Number(seedOf('20261122'));
    const world = new World(seed, await aQueue());
    const ids: string[] = [];
    const insert = async (address: Hex) => {
      const id = randomUUID();
      ids.push(id);
      await world.queue.insert(address, { id, startedAt: world.now, limits: LIMITS });
    };
    for (let step = 0; world.deaths < 200; step++) {
      if (step === 10) await insert(POISON);
      if (step < 1500) await insert(innocent(step + 1));
      await world.pass(world.below(400), 2);
      const { pids } = world;
      const victim = pids[world.below(pids.length)];
      if (victim !== undefined && world.below(4) === 0) world.kill(victim);
    }
    while ((await world.queue.jobs.count()).waiting + (await world.queue.jobs.count()).running > 0) {
      await world.pass(1000, 2);
    }
    const errors = await errorsOf(world.queue, ids);
    const abandoned = errors.flatMap((code, index) => (code === 'job_abandoned' ? [index] : []));
    expect({ seed, abandoned }).toEqual({ seed, abandoned: [10] });
    await world.close();
  });

  test('real servers on one database outlive a job that kills them', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'suspects-'));
    const file = join(folder, 'ledgerlens.sqlite');
    const queue = await aQueue(file);
    const ids = Array.from({ length: 16 }, () => randomUUID());
    for (const [index, id] of ids.entries()) {
      await queue.insert(index === 3 ? POISON : innocent(index), { id, startedAt: index, limits: LIMITS });
    }
    const script = fileURLToPath(new URL('../../../../test/kit/verify/dispatch-process.ts', import.meta.url));
    const living = new Set<ChildProcess>();
    onTestFinished(() => {
      for (const child of living) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    });
    let deaths = 0;
    const serve = async () => {
      for (let isDone = false; !isDone; ) {
        const child = spawn(process.execPath, ['--import', 'tsx', script, file, POISON], {
          stdio: 'inherit',
        });
        living.add(child);
        const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
        living.delete(child);
        isDone = code === 0;
        if (signal === 'SIGKILL') deaths++;
        else expect(code).toBe(0);
      }
    };
    await Promise.all([serve(), serve()]);
    const errors = await errorsOf(queue, ids);
    expect(errors[3]).toBe('job_abandoned');
    expect(errors.filter((code) => code === 'compiler_error')).toHaveLength(15);
    expect(deaths).toBeLessThanOrEqual(4);
  });
});
