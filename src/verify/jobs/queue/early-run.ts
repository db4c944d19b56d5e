import type { ClaimedJob } from './job-repository.ts';
import { type RunJob, RunningJob } from './running-job.ts';

/** One run at most that began before its job was claimed; without a claim it leaves nothing. */
export class EarlyRun {
  readonly #run: RunJob;
  #begun: { readonly running: RunningJob; readonly result: ReturnType<RunJob> } | null = null;

  constructor(run: RunJob) {
    this.#run = run;
  }

  get isFree(): boolean {
    return this.#begun === null;
  }

  /** Begins a new job; while another one is under way there is no place for it. */
  begin(job: Omit<ClaimedJob, 'isSuspect' | 'loneCrashes'>): void {
    if (!this.isFree) return;
    const running = new RunningJob({ ...job, isSuspect: false, loneCrashes: 0 });
    const result = this.#run(running.job, running);
    // Nobody may come for it.
    result.catch(() => {});
    this.#begun = { running, result };
  }

  /** Gives the run to who claimed its job; null when it is of another one. */
  take(id: string) {
    const begun = this.#begun;
    if (begun?.running.job.id !== id) return null;
    this.#begun = null;
    return begun;
  }

  /** Stops the run of this job, or whichever there is, unless it was taken. */
  drop(id = this.#begun?.running.job.id): void {
    if (id !== undefined) this.take(id)?.running.stop();
  }
}
