import type { Clock } from '../../values/clock.ts';
import { failure } from '../job-failure.ts';
import type { JobCompletions } from './job-completions.ts';
import type { JobProgress } from './job-progress.ts';
import type { ClaimedJob, JobRepository } from './job-repository.ts';
import { NO_BYTECODES, type VerificationResult } from './verification-result.ts';

/** What a dispatcher works with. */
export interface JobDispatcherParts {
  readonly repository: JobRepository;
  readonly completions: JobCompletions;
  /** Runs one job to its end; anything it throws ends the job as `internal_error`. */
  readonly run: (job: ClaimedJob, progress: JobProgress) => Promise<VerificationResult>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Jobs that may run at the same time; most of their time is waiting for the chain or a compiler. */
  readonly concurrency: number;
  /** A job whose lease is not prolonged for this long may be claimed again, milliseconds. */
  readonly leaseMs: number;
  readonly observer: JobObserver;
}

/** Told about jobs, for logs and metrics. */
export interface JobObserver {
  /** `outcome` is `match` or a code of the failure. */
  finished(job: ClaimedJob, outcome: string): void;
  /** A fault of the server; the client sees `errorId`. */
  faulted(job: ClaimedJob | null, error: unknown, errorId: string): void;
}

const NOBODY_FOLLOWS: JobProgress = { signal: new AbortController().signal, enter() {}, warn() {} };
const MAX_CLAIMS = 3;
const HEARTBEATS_PER_LEASE = 3;

/**
 * Runs the jobs of the table, oldest first.
 *
 * @see contracts/verification-api.md section 3.4, "the 429 lock can never outlive the job"
 */
export class JobDispatcher {
  readonly #parts: JobDispatcherParts;
  readonly #owner: string;
  readonly #running = new Map<string, Promise<void>>();
  #heartbeat: NodeJS.Timeout | null = null;
  #isOpen = false;
  #filling: Promise<void> = Promise.resolve();

  constructor(parts: JobDispatcherParts) {
    this.#parts = parts;
    this.#owner = parts.newId();
  }

  /** Makes unfinished jobs of an earlier process available and begins to work. */
  async start(): Promise<void> {
    await this.#parts.repository.requeueAll();
    this.#isOpen = true;
    const beatMs = this.#parts.leaseMs / HEARTBEATS_PER_LEASE;
    this.#heartbeat = setInterval(() => void this.#beat(), beatMs);
    this.#heartbeat.unref();
    this.wake();
  }

  /** Looks for jobs. Called after each submission. */
  wake(): void {
    this.#filling = this.#filling.then(() => this.#fill()).catch((error) => this.#fault(null, error));
  }

  /** Gives running jobs back, uncounted, so that the next process begins them again. */
  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    await this.#filling;
    for (const id of this.#running.keys()) await this.#parts.repository.release(id, this.#owner);
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    await this.#filling;
    await Promise.all(this.#running.values());
  }

  async #fill(): Promise<void> {
    while (this.#isOpen && this.#running.size < this.#parts.concurrency) {
      const job = await this.#parts.repository.claim(this.#lease());
      if (job === null) return;
      // The lease ran out while the process was stopped; the claim has just renewed it.
      if (this.#running.has(job.id)) continue;
      this.#running.set(job.id, this.#work(job));
    }
  }

  async #work(job: ClaimedJob): Promise<void> {
    const errorId = this.#parts.newId();
    try {
      const result = await this.#run(job, errorId);
      // After close the job belongs to the next process.
      if (this.#isOpen) await this.#complete(job, result, errorId);
    } catch (error) {
      // The database refused the result: the lease ends by itself and the job is claimed again.
      this.#fault(job, error, errorId);
    } finally {
      this.#running.delete(job.id);
      this.#parts.completions.announce(job.id);
      this.wake();
    }
  }

  async #run(job: ClaimedJob, errorId: string): Promise<VerificationResult> {
    if (job.claims > MAX_CLAIMS) {
      return { kind: 'failed', failure: failure('job_abandoned'), bytecodes: NO_BYTECODES };
    }
    try {
      return await this.#parts.run(job, NOBODY_FOLLOWS);
    } catch (error) {
      if (this.#isOpen) this.#fault(job, error, errorId);
      return { kind: 'failed', failure: failure('internal_error'), bytecodes: NO_BYTECODES };
    }
  }

  async #complete(job: ClaimedJob, result: VerificationResult, errorId: string): Promise<void> {
    const { repository, clock, observer } = this.#parts;
    const end = { now: clock.now(), errorId };
    const outcome = await repository.complete(job.id, this.#owner, result, end);
    if (outcome === 'lost') return;
    const isMatch = outcome === 'matched';
    const reason = result.kind === 'failed' ? result.failure.code : 'already_verified';
    observer.finished(job, isMatch ? 'match' : reason);
  }

  async #beat(): Promise<void> {
    try {
      for (const id of this.#running.keys()) await this.#parts.repository.heartbeat(id, this.#lease());
      // Also finds jobs whose lease ended without an end.
      this.wake();
    } catch (error) {
      this.#fault(null, error);
    }
  }

  #lease(): { readonly owner: string; readonly now: number; readonly until: number } {
    const now = this.#parts.clock.now();
    return { owner: this.#owner, now, until: now + this.#parts.leaseMs };
  }

  #fault(job: ClaimedJob | null, error: unknown, errorId = this.#parts.newId()): void {
    this.#parts.observer.faulted(job, error, errorId);
  }
}
