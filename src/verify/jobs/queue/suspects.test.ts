import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { numbersFrom, seedOf } from '../../../../test/support/seed.ts';
import type { Hex } from '../../../values/hex.ts';
import { aQueue, closeQueues, FAILED, type TestQueue } from '../../testing/a-queue.ts';
import { JobCompletions } from './job-completions.ts';
import { JobDispatcher } from './job-dispatcher.ts';
import type { JobRepository } from './job-repository.ts';

afterEach(closeQueues);

const POISON = `0x${'de'.repeat(20)}` as Hex;
const innocent = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as Hex;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Servers on one database that live in this process; one that is killed says and does nothing any more. */
class World {
  readonly queue: TestQueue;
  now = 1_000_000;
  deaths = 0;
  /** What each server ran when it died. */
  readonly companies: number[] = [];
  readonly #random: () => number;
  readonly #servers = new Map<number, { readonly dispatcher: JobDispatcher; readonly running: Set<Hex> }>();
  #lastPid = 0;

  constructor(seed: number, queue: TestQueue) {
    this.queue = queue;
    this.#random = numbersFrom(seed);
  }

  get pids(): readonly number[] {
    return [...this.#servers.keys()];
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  async startServer(): Promise<void> {
    const pid = ++this.#lastPid;
    const running = new Set<Hex>();
    const dispatcher = new JobDispatcher({
      repository: livingOnly(this.queue.jobs, () => this.#servers.has(pid)),
      completions: new JobCompletions(),
      run: async ({ address }) => {
        running.add(address);
        for (let left = 1 + this.below(20); left > 0; left--) await turn();
        if (address === POISON && this.#servers.has(pid)) this.kill(pid);
        running.delete(address);
        return FAILED;
      },
      clock: { now: () => this.now },
      newId: randomUUID,
      process: { host: 'here', pid, isAlive: (other) => this.#servers.has(other) },
      concurrency: 8,
      leaseMs: 30_000_000,
      observer: {
        finished: () => {},
        faulted: (_job, error) => {
          if (this.#servers.has(pid)) throw error;
        },
      },
    });
    this.#servers.set(pid, { dispatcher, running });
    await dispatcher.start();
  }

  kill(pid: number): void {
    this.companies.push(this.#servers.get(pid)?.running.size ?? 0);
    this.#servers.delete(pid);
    this.deaths++;
  }

  /** Lets time pass, and starts servers until there are as many as wanted. */
  async pass(milliseconds: number, servers: number): Promise<void> {
    while (this.#servers.size < servers) await this.startServer();
    this.now += milliseconds;
    for (const { dispatcher } of this.#servers.values()) dispatcher.wake();
    for (let left = 1 + this.below(30); left > 0; left--) await turn();
  }

  async close(): Promise<void> {
    for (const { dispatcher } of this.#servers.values()) await dispatcher.close();
  }
}

function livingOnly(jobs: JobRepository, isAlive: () => boolean): JobRepository {
  return new Proxy(jobs, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) =>
        isAlive() ? Reflect.apply(method, target, given) : new Promise(() => {});
    },
  });
}

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
    const script = fileURLToPath(new URL('../../testing/dispatch-process.ts', import.meta.url));
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
