import { type Repeat, systemRepeat } from '../../../values/repetition.ts';
import { isStorageError } from '../../../values/storage-errors.ts';
import { heapBytesOf } from '../../model/submission.ts';
import type { VerificationResult } from '../results/verification-result.ts';
import { EarlyRun } from './early-run.ts';
import type { JobCompletions } from './job-completions.ts';
import {
  type CancelOutcome,
  type JobSubject,
  maxLoneCrashes,
  type NewJob,
  type SentJob,
} from './job-repository.ts';
import { JobRunner, type JobRunnerParts } from './job-runner.ts';
import { isOwnerGone, type ProcessIdentity, printLeaseOwner } from './lease-owner.ts';
import { type JobActivity, RunningJob } from './running-job.ts';

/** What a dispatcher works with. */
export interface JobDispatcherParts extends JobRunnerParts {
  readonly completions: JobCompletions;
  /** Names the holder of the leases. */
  readonly process: ProcessIdentity;
  /** Jobs that may run at the same time; most of their time is waiting for the chain or a compiler. */
  readonly concurrency: number;
  /** No job begins beside others whose submissions have so much of the heap. Default: any. */
  readonly maxRunningBytes?: number;
  /** Whether no other process claims jobs. */
  readonly isAlone: boolean;
  /** A job whose lease is not prolonged for this long may be claimed again, milliseconds. */
  readonly leaseMs: number;
  /** Default: the timer of the operating system. */
  readonly repeat?: Repeat;
}

const HEARTBEATS_PER_LEASE = 3;
/** The pause after a claim that the database did not take; jobs continue that long after it works again. */
const TRY_AGAIN_MS = 1_000;
/** While one job of a worker compiles, the others read from their chain, wait their turn or are stored. */
const JOBS_PER_WORKER = 4;
/**
 * A chain that does not answer holds its jobs up; those of the others must not wait for them. What is kept for the others
 * is a job for each worker, so they keep all compilers busy meanwhile.
 */
const LARGEST_SHARE_OF_ONE_CHAIN = 0.75;
/** New jobs are told of; nobody tells that a suspect, behind which others wait, is taken by another replica. */
const BELIEVED_MS = 1_000;

/**
 * Jobs that a process with so many compiler workers runs at a time: enough for its compilers, and no more, since others
 * share the queue and could begin what this one only holds.
 */
export function concurrencyFor(workers: number): number {
  return workers * JOBS_PER_WORKER;
}

/**
 * Runs the jobs of the table, each client in turn, and each suspect alone.
 *
 * @see docs/adr/0014-verification-queue.md
 * @see contracts/verification-api.md section 3.4, "the 429 lock can never outlive the job"
 */
export class JobDispatcher {
  readonly #parts: JobDispatcherParts;
  readonly #owner: string;
  readonly #runner: JobRunner;
  readonly #running = new Map<string, RunningJob>();
  readonly #ends = new Set<Promise<void>>();
  /** Jobs whose end could not be stored; they are given back when the database takes it. */
  readonly #unstored = new Set<string>();
  /** Set while the database does not accept writes. */
  #nextTry: NodeJS.Timeout | null = null;
  /** Chains beside which no job of another one can begin, and until when that is believed. */
  #onlyWaiting: { readonly chains: readonly string[]; readonly until: number } | null = null;
  /** Set while a look was left out because of that. */
  #laterLook: NodeJS.Timeout | null = null;
  #isRefused = false;
  #isBeating = false;
  #hasTakenBack = false;
  #startedAt = 0;
  #stopBeats: (() => Promise<void>) | null = null;
  #isOpen = false;
  readonly #early: EarlyRun;
  /** Whether the newest claim found that no job waits: then a new one is the next, and runs beside nothing. */
  #foundEmpty = false;
  #filling: Promise<void> = Promise.resolve();

  constructor(parts: JobDispatcherParts) {
    this.#parts = parts;
    this.#early = new EarlyRun(parts.run);
    this.#owner = printLeaseOwner(parts.process, parts.newId());
    this.#runner = new JobRunner(parts, this.#owner);
  }

  /** Makes the unfinished jobs of processes that are gone available and begins to work. */
  async start(): Promise<void> {
    this.#startedAt = this.#parts.clock.now();
    try {
      await this.#takeBackFromGone();
    } catch (error) {
      // A database that takes no writes must not keep the server from answering reads.
      if (!isStorageError(error)) throw error;
      this.#unlessTold(error);
    }
    this.#isOpen = true;
    const beatMs = this.#parts.leaseMs / HEARTBEATS_PER_LEASE;
    const { repeat = systemRepeat } = this.#parts;
    this.#stopBeats = repeat(() => this.#beat(), beatMs);
    this.wake();
  }

  /**
   * Looks for jobs. Called after each submission. While the database does not accept writes it looks once in a while.
   *
   * @param chainId of the job that came; null: any may have come
   */
  wake(chainId: string | null = null): void {
    if (chainId === null || this.#onlyWaiting?.chains.includes(chainId) === false) this.#onlyWaiting = null;
    this.#look();
  }

  /**
   * Begins a job of an idle process while it is being stored, which takes a fifth of a small compilation. Its result counts
   * only once the job is claimed; where others may claim it first, nothing begins early.
   *
   * @param sent is read only for that.
   * @returns to be called when it is stored or refused: the run is stopped unless this process claims the job then.
   */
  begin(job: NewJob, sent: SentJob): (isStored: boolean) => void {
    const isIdle = this.#isOpen && this.#foundEmpty && this.#running.size === 0;
    const mayBegin = this.#parts.isAlone && isIdle && this.#early.isFree;
    const submission = mayBegin ? sent.read() : null;
    if (submission !== null) this.#early.begin({ ...job, submission, bytes: sent.bytes });
    return (isStored) => {
      // A claim beside the insertion may have come before it, as on a database with several connections.
      if (isStored) this.wake(job.chainId);
      void this.#filling.then(() => this.#early.drop(job.id));
    };
  }

  #look(): void {
    this.#filling = this.#filling.then(() => this.#fill()).catch((error) => this.#claimFailed(error));
  }

  /** What a job of this process is busy with; null when it does not run here. */
  activityOf(jobId: string): JobActivity | null {
    return this.#running.get(jobId) ?? null;
  }

  /** How long a job at this place will wait, if those before it take as long as the last ones; null: nobody knows. */
  waitSeconds(queuePosition: number): number | null {
    const { usualMs } = this.#runner;
    return usualMs === null ? null : Math.ceil((queuePosition * usualMs) / this.#parts.concurrency / 1000);
  }

  /**
   * Ends an unfinished job, waiting or running, and frees its address.
   *
   * @see contracts/verification-api.md section 14
   */
  async cancel(jobId: string): Promise<CancelOutcome['kind']> {
    const { repository, clock, newId, completions, observer } = this.#parts;
    const outcome = await repository.cancel(jobId, { now: clock.now(), errorId: newId() });
    if (outcome.kind === 'cancelled') {
      this.#running.get(jobId)?.stop();
      completions.announce(jobId);
      observer.finished(outcome.job, 'job_cancelled');
      // Others may have waited behind it.
      this.wake();
    }
    return outcome.kind;
  }

  /** Another process ended a job: a run of it here is for nothing. */
  endedElsewhere(jobId: string): void {
    const running = this.#running.get(jobId);
    // Whoever stores the end has announced it.
    if (running === undefined || running.stage === 'storing') return;
    this.#prolong(running).catch((error) => this.#unlessTold(error));
  }

  /** Gives running jobs back, unsuspected, so that the next process begins them again. */
  async close(): Promise<void> {
    this.#isOpen = false;
    // What ends from now on is the next process's, and so is what a claim under way brings.
    const begun = [...this.#running.values()];
    for (const running of begun) running.stop();
    const beatsEnded = this.#stopBeats?.();
    for (const timer of [this.#nextTry, this.#laterLook]) if (timer !== null) clearTimeout(timer);
    await this.#filling;
    this.#early.drop();
    await beatsEnded;
    const all = new Set([...begun, ...this.#running.values()]);
    for (const running of all) running.stop();
    await Promise.all([...all].map((running) => this.#giveBack(running)));
  }

  async #giveBack({ job }: RunningJob): Promise<void> {
    try {
      await this.#parts.repository.release(job.id, this.#owner);
    } catch (error) {
      // The lease ends by itself; the other jobs and all compilers must be stopped nevertheless.
      this.#fault(job, error);
    }
  }

  /** Resolves when nothing runs any more. */
  async idle(): Promise<void> {
    await this.#filling;
    await Promise.all(this.#ends);
  }

  async #fill(): Promise<void> {
    while (this.#isOpen && this.#nextTry === null && this.#running.size < this.#parts.concurrency) {
      const active = this.#active();
      if (active.some(({ job }) => job.isSuspect)) return;
      if (this.#isHeapFull()) return;
      const lease = this.#lease();
      const exceptChains = this.#crowdedChains();
      if (this.#waitInVain(exceptChains, lease.now)) return this.#lookLater();
      if (exceptChains.length > 0)
        this.#onlyWaiting = { chains: exceptChains, until: lease.now + BELIEVED_MS };
      const job = await this.#parts.repository.claim(lease, {
        exceptChains,
        isIdle: active.length === 0,
        maxLoneCrashes: maxLoneCrashes(lease.now - this.#startedAt),
      });
      this.#isRefused = false;
      // What another replica had locked at this moment waits as well.
      if (job === null) {
        this.#foundEmpty = (await this.#parts.repository.count()).waiting === 0;
        return this.#foundEmpty ? undefined : this.#lookLater();
      }
      this.#foundEmpty = false;
      if (job.isSuspect) this.#early.drop();
      if (exceptChains.length > 0) this.#onlyWaiting = null;
      this.#unstored.delete(job.id);
      const begun = this.#early.take(job.id);
      const running = begun?.running ?? new RunningJob(job);
      this.#running.set(job.id, running);
      const end = this.#work(running, begun?.result);
      this.#ends.add(end);
      void end.finally(() => this.#ends.delete(end));
    }
  }

  #lookLater(): void {
    if (this.#laterLook !== null) return;
    this.#laterLook = setTimeout(() => {
      this.#laterLook = null;
      this.#look();
    }, BELIEVED_MS);
    this.#laterLook.unref();
  }

  #claimFailed(error: unknown): void {
    this.#foundEmpty = false;
    this.#onlyWaiting = null;
    this.#unlessTold(error);
    if (!isStorageError(error) || !this.#isOpen) return;
    this.#nextTry = setTimeout(() => {
      this.#nextTry = null;
      this.wake();
    }, TRY_AGAIN_MS);
    this.#nextTry.unref();
  }

  /** A run that was told to stop ends soon and gives nothing any more. */
  #active(): readonly RunningJob[] {
    return [...this.#running.values()].filter(({ signal }) => !signal.aborted);
  }

  /** Chains whose running jobs leave only the places that are kept for others. */
  #crowdedChains(): readonly string[] {
    const most = Math.ceil(this.#parts.concurrency * LARGEST_SHARE_OF_ONE_CHAIN);
    return [...this.#loads()]
      .filter(([, { jobs, bytes }]) => jobs >= most || bytes >= this.#maxBytesOfOneChain)
      .map(([chainId]) => chainId);
  }

  /** A chain counts at most its share: one job of it, however large, leaves the others theirs. */
  #isHeapFull(): boolean {
    const { maxRunningBytes = Number.POSITIVE_INFINITY } = this.#parts;
    const counted = [...this.#loads().values()].map(({ bytes }) => Math.min(bytes, this.#maxBytesOfOneChain));
    return counted.reduce((sum, bytes) => sum + bytes, 0) >= maxRunningBytes;
  }

  get #maxBytesOfOneChain(): number {
    return (this.#parts.maxRunningBytes ?? Number.POSITIVE_INFINITY) * LARGEST_SHARE_OF_ONE_CHAIN;
  }

  /** Running jobs by chain. A run that was told to stop has its text for as long as it lasts. */
  #loads(): ReadonlyMap<string, { readonly jobs: number; readonly bytes: number }> {
    const loads = new Map<string, { readonly jobs: number; readonly bytes: number }>();
    for (const { job } of this.#running.values()) {
      const { jobs, bytes } = loads.get(job.chainId) ?? { jobs: 0, bytes: 0 };
      loads.set(job.chainId, { jobs: jobs + 1, bytes: bytes + heapBytesOf(job.bytes) });
    }
    return loads;
  }

  /** Whether a claim that leaves chains out is known to find nothing: with a long queue it reads all of it. */
  #waitInVain(exceptChains: readonly string[], now: number): boolean {
    if (exceptChains.length === 0 || this.#onlyWaiting === null || now >= this.#onlyWaiting.until)
      return false;
    return this.#onlyWaiting.chains.every((chainId) => exceptChains.includes(chainId));
  }

  /** Never rejects. */
  async #work(running: RunningJob, begun?: Promise<VerificationResult>): Promise<void> {
    const { id } = running.job;
    if (!(await this.#runner.run(running, begun))) {
      // It is given back when the database can be written, and claimed again.
      this.#unstored.add(id);
      this.#foundEmpty = false;
    }
    if (this.#running.get(id) === running) this.#running.delete(id);
    this.#parts.completions.announce(id);
    this.#look();
  }

  async #takeBackFromGone(): Promise<void> {
    const { repository, process, clock, leaseMs } = this.#parts;
    this.#foundEmpty = false;
    const now = clock.now();
    // A lease that ends later was given by a clock that has been set back; later on, this machine may have been suspended.
    const latest = now + 2 * leaseMs;
    await repository.takeBack((owner, until) => until > latest || isOwnerGone(owner, process), now);
    this.#hasTakenBack = true;
  }

  async #beat(): Promise<void> {
    const { repository, clock } = this.#parts;
    // The last one may still wait for the database.
    if (this.#isBeating) return;
    this.#isBeating = true;
    try {
      // All at once, so that they share a commit. One that is stored now holds its row itself: to wait for that would
      // take a second connection, and those of all together are more than there are.
      const prolonged = [...this.#running.values()].filter(({ stage }) => stage !== 'storing');
      await Promise.all(prolonged.map((running) => this.#prolong(running)));
      for (const id of this.#unstored) {
        await repository.release(id, this.#owner);
        this.#unstored.delete(id);
      }
      // Their processes died or stand still. Which ones died is asked at the start only: host names may be shared.
      if (!this.#hasTakenBack) await this.#takeBackFromGone();
      else if (this.#sawLease() && (await repository.takeBack(() => false, clock.now())) > 0)
        this.#foundEmpty = false;
      this.wake();
    } catch (error) {
      this.#unlessTold(error);
    } finally {
      this.#isBeating = false;
    }
  }

  /** Whether a lease has passed since the clock was set, so that all who live have prolonged theirs by it. */
  #sawLease(): boolean {
    const { clock, leaseMs } = this.#parts;
    return clock.steppedAt === undefined || clock.now() - clock.steppedAt > leaseMs;
  }

  async #prolong(running: RunningJob): Promise<void> {
    const isOurs = await this.#parts.repository.heartbeat(running.job.id, this.#lease());
    // Cancelled or taken over through another process.
    if (!isOurs) running.stop();
  }

  #lease(): { readonly owner: string; readonly now: number; readonly until: number } {
    const now = this.#parts.clock.now();
    return { owner: this.#owner, now, until: now + this.#parts.leaseMs };
  }

  /** Tells a fault of the database once until it works again. */
  #unlessTold(error: unknown): void {
    const isPassing = isStorageError(error);
    if (!isPassing || !this.#isRefused) this.#fault(null, error);
    this.#isRefused = isPassing;
  }

  #fault(job: JobSubject | null, error: unknown): void {
    this.#parts.observer.faulted(job, error, this.#parts.newId());
  }
}
