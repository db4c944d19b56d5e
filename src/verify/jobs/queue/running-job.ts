import type { JobProgress, JobStage } from '../../model/job-progress.ts';
import type { VerificationResult } from '../results/verification-result.ts';
import type { ClaimedJob } from './job-repository.ts';

/** What clients that follow a running job see of it. */
export type JobActivity = Pick<RunningJob, 'stage' | 'warnings'>;

/** Input of a client must not fill the database with them. */
const MAX_WARNINGS = 50;

/** Runs one job to its end. */
export type RunJob = (job: ClaimedJob, progress: JobProgress) => Promise<VerificationResult>;

/** A job that this process runs: what it is busy with, and the means to stop it. */
export class RunningJob implements JobProgress {
  readonly job: ClaimedJob;
  readonly #control = new AbortController();
  readonly #warnings: Set<string>;
  #stage: JobStage | null = null;

  constructor(job: ClaimedJob) {
    this.job = job;
    this.#warnings = new Set(job.warnings);
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** Null until the job has reported one. */
  get stage(): JobStage | null {
    return this.#stage;
  }

  /** In the order they were given, those of the submission first. */
  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  enter(stage: JobStage): void {
    this.#stage = stage;
  }

  warn(text: string): void {
    if (this.#warnings.size < MAX_WARNINGS) this.#warnings.add(text);
  }

  /** The result is not wanted any more: the job was cancelled, or belongs to another process. */
  stop(): void {
    this.#control.abort();
  }
}
