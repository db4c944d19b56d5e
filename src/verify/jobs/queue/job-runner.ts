import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import type { Clock } from '../../../values/clock.ts';
import { isOutOfFiles } from '../../../values/open-files.ts';
import { isStorageError } from '../../../values/storage-errors.ts';
import { failure } from '../../model/job-failure.ts';
import { NO_BYTECODES, type VerificationResult } from '../results/verification-result.ts';
import { GIVEN_UP_CRASHES, type JobSubject } from './job-repository.ts';
import type { RunJob, RunningJob } from './running-job.ts';
import type { JobRepository } from './with-submissions.ts';

/** What a runner works with. */
export interface JobRunnerParts {
  readonly repository: JobRepository;
  /** Anything it throws ends the job as `internal_error`. */
  readonly run: RunJob;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly observer: JobObserver;
  /** Default: a timer. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** Receives reports about jobs, for logs and metrics. */
interface JobObserver {
  /** `outcome` is `match` or a code of the failure. */
  finished(job: JobSubject, outcome: string): void;
  /** A fault of the server; the client sees `errorId`. */
  faulted(job: JobSubject | null, error: unknown, errorId: string): void;
}

const RETRY_MS = 1_000;
/** A minute without a file to open is no temporary shortage. */
const MAX_ATTEMPTS_WITHOUT_FILES = 60;
/** How much of an estimate the last job makes. */
const NEWEST_COUNTS = 0.1;
const INTERNAL_ERROR: VerificationResult = {
  kind: 'failed',
  failure: failure('internal_error'),
  bytecodes: NO_BYTECODES,
};

/** Runs claimed jobs to their ends and stores these. */
export class JobRunner {
  readonly #parts: JobRunnerParts;
  readonly #owner: string;
  #usualMs: number | null = null;

  /** @param owner of the leases. */
  constructor(parts: JobRunnerParts, owner: string) {
    this.#parts = parts;
    this.#owner = owner;
  }

  /** How long jobs take, the last ones counting most; null while none has ended. */
  get usualMs(): number | null {
    return this.#usualMs;
  }

  /**
   * Runs a job, unless it was begun already, and stores its end; that of a stopped one belongs to others. Never rejects.
   *
   * @returns false when the database does not take the end now.
   */
  async run(running: RunningJob, begun?: Promise<VerificationResult>): Promise<boolean> {
    const { clock, newId } = this.#parts;
    const errorId = newId();
    const begunAt = clock.now();
    try {
      const result = await this.#resultOf(running, errorId, begun);
      if (!running.signal.aborted) await this.#complete(running, result, errorId);
      return true;
    } catch (error) {
      this.#fault(running.job, error, errorId);
      return false;
    } finally {
      const tookMs = Math.max(0, clock.now() - begunAt);
      this.#usualMs =
        this.#usualMs === null ? tookMs : this.#usualMs + (tookMs - this.#usualMs) * NEWEST_COUNTS;
    }
  }

  /** Runs it again after a pause when there was no file to open: a shortage of the server, and temporary. */
  async #resultOf(
    running: RunningJob,
    errorId: string,
    begun?: Promise<VerificationResult>,
  ): Promise<VerificationResult> {
    const { newId, pause = setTimeoutPromise, run } = this.#parts;
    if (running.job.loneCrashes >= GIVEN_UP_CRASHES) {
      return { kind: 'failed', failure: failure('job_abandoned'), bytecodes: NO_BYTECODES };
    }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await (attempt === 1 && begun !== undefined ? begun : run(running.job, running));
      } catch (error) {
        // A stopped job ends by throwing.
        if (running.signal.aborted) return INTERNAL_ERROR;
        const isLast = !isOutOfFiles(error) || attempt === MAX_ATTEMPTS_WITHOUT_FILES;
        if (isLast || attempt === 1) this.#fault(running.job, error, isLast ? errorId : newId());
        if (isLast) return INTERNAL_ERROR;
        await pause(RETRY_MS);
      }
    }
  }

  async #complete(running: RunningJob, result: VerificationResult, errorId: string): Promise<void> {
    running.enter('storing');
    try {
      await this.#store(running, result, errorId);
    } catch (error) {
      if (isStorageError(error)) throw error;
      // The same result would be refused again, so another compilation would not help.
      this.#fault(running.job, error, errorId);
      await this.#store(running, INTERNAL_ERROR, errorId);
    }
  }

  async #store(running: RunningJob, result: VerificationResult, errorId: string): Promise<void> {
    const { repository, clock, observer } = this.#parts;
    const { job, warnings } = running;
    const end = { now: clock.now(), errorId, warnings };
    const outcome = await repository.complete(job.id, this.#owner, result, end);
    if (outcome === 'lost') return;
    const reason = result.kind === 'failed' ? result.failure.code : 'already_verified';
    observer.finished(job, outcome === 'matched' ? 'match' : reason);
  }

  #fault(job: JobSubject, error: unknown, errorId: string): void {
    this.#parts.observer.faulted(job, error, errorId);
  }
}
