import { randomUUID } from 'node:crypto';
import type { Hex } from '../../../src/values/hex.ts';
import { JobCompletions } from '../../../src/verify/jobs/queue/job-completions.ts';
import { JobDispatcher } from '../../../src/verify/jobs/queue/job-dispatcher.ts';
import type { JobRepository } from '../../../src/verify/jobs/queue/with-submissions.ts';
import { numbersFrom } from '../../support/seed.ts';
import { FAILED } from './a-job.ts';
import type { TestQueue } from './a-queue.ts';

/** Whoever runs a job of this address dies. */
export const POISON = `0x${'de'.repeat(20)}` as Hex;
export const innocent = (index: number) => `0x${index.toString(16).padStart(40, '0')}` as Hex;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Servers on one database that live in this process; one that is killed says and does nothing any more. */
export class World {
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
      isAlone: false,
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
