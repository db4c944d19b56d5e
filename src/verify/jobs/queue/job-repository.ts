import {
  flag,
  hex,
  int64,
  json,
  number,
  type RecordOf,
  rowTable,
  text,
  unlessNull,
} from '../../../values/row-table.ts';
import type { MatchGrade } from '../../match/compiled-code.ts';
import type { JobFailure } from '../../model/job-failure.ts';
import type { PackedSubmission, Submission } from '../../model/submission.ts';
import type { JobBytecodes } from '../results/verification-result.ts';

/** Which verification it is, and of what. `address` is lower case. */
const SUBJECT = rowTable({
  id: text('job.id'),
  chainId: text('job.chain_id'),
  address: hex('job.address'),
});
export type JobSubject = RecordOf<typeof SUBJECT>;

/** Sentences for the job record, such as one about the spelling of the address. Those of a running job are stored with its end. */
export const JOB_WARNINGS = rowTable({ warnings: json<readonly string[]>('job.warnings', []) });

/** A job as its table holds it from the beginning. Times are milliseconds since the epoch. */
export const JOB = rowTable({
  ...SUBJECT.members,
  startedAt: number('job.started_at'),
  ...JOB_WARNINGS.members,
});

/** A job as it is accepted. */
export interface NewJob extends RecordOf<typeof JOB> {
  readonly submission: Submission | PackedSubmission;
  /** Who takes turns with others; forgotten with the end of the job. Absent: an operator, who takes none. */
  readonly client?: string;
}

/** What is known of a job as soon as its row is on its way. */
export interface SentJob {
  /** Of its submission as text. */
  readonly bytes: number;
  /** Its submission; null for a large one that is packed, which a thread unpacks once it is claimed. */
  readonly read: () => Submission | null;
}

/** A claimed job whose submission is not read yet. */
export const TAKEN_JOB = rowTable({
  ...JOB.members,
  /** Of its submission as text. */
  bytes: number('job.input_bytes'),
  /** A process died while it ran this job; it has to run alone until it ends. */
  isSuspect: flag('job.is_suspect'),
  /** Processes that died while this was the only job that they ran. */
  loneCrashes: number('job.lone_crashes'),
});
export type TakenJob = RecordOf<typeof TAKEN_JOB>;

/** A job that this process may run until its lease ends. */
export interface ClaimedJob extends TakenJob, NewJob {
  readonly submission: Submission;
}

/** Which jobs a process may take now. */
export interface ClaimRule {
  /** Ids of chains whose jobs are passed over. */
  readonly exceptChains: readonly string[];
  /** Whether the process runs nothing; only then it takes a suspect. */
  readonly isIdle: boolean;
  /** Suspects with more lone crashes wait a while longer, unless they have so many that they are given up. */
  readonly maxLoneCrashes: number;
}

/** From this many lone crashes on a job is given up. */
export const GIVEN_UP_CRASHES = 3;

/** How a job ended. */
export const JOB_OUTCOME = rowTable({
  finishedAt: number<number | null>('job.finished_at'),
  compilationMs: number<number | null>('job.compilation_ms'),
  match: unlessNull<JobMatch | null>('match_id', {
    creation: 'job.creation_match',
    runtime: 'job.runtime_match',
    matchId: int64('job.match_id'),
    verifiedAt: 'job.verified_at',
  }),
  error: unlessNull<(JobFailure & { readonly id: string }) | null>('error_code', {
    id: 'job.error_id',
    code: 'job.error_code',
    data: json('job.error_data'),
  }),
});

export interface JobMatch {
  readonly creation: MatchGrade | null;
  readonly runtime: MatchGrade | null;
  readonly matchId: bigint;
  readonly verifiedAt: number;
}

export const JOB_BYTECODES = rowTable<JobBytecodes>({
  recompiledCreation: 'bytecode.recompiled_creation_code',
  recompiledRuntime: 'bytecode.recompiled_runtime_code',
  onchainCreation: 'bytecode.onchain_creation_code',
  onchainRuntime: 'bytecode.onchain_runtime_code',
  creationTransactionHash: hex('bytecode.creation_transaction_hash'),
  recompiledSettings: json('bytecode.recompiled_settings'),
});

/** Everything about a job, with its place among those that wait. */
export const JOB_RECORD = rowTable({
  ...JOB.members,
  ...JOB_OUTCOME.members,
  /** 1 is the next one; null when the job does not wait. */
  queuePosition: number<
    number | null
  >(`CASE WHEN job.finished_at IS NULL AND job.lease_owner IS NULL THEN 1 + (
     SELECT count(*) FROM verification_job AS ahead
     WHERE ahead.finished_at IS NULL AND ahead.lease_owner IS NULL
       AND (ahead.turn, ahead.started_at, ahead.id) < (job.turn, job.started_at, job.id)) END AS queue_position`),
  bytecodes: JOB_BYTECODES,
});
export type JobRecord = RecordOf<typeof JOB_RECORD>;

/** A job that waits or runs, as operators see it. */
export const UNFINISHED_JOB = rowTable({
  ...SUBJECT.members,
  startedAt: number('job.started_at'),
  /** Null: an operator. */
  client: text<string | null>('job.client'),
  /** Of its submission. */
  bytes: number('job.input_bytes'),
  state: text<'waiting' | 'running'>(
    `CASE WHEN job.lease_owner IS NULL THEN 'waiting' ELSE 'running' END AS state`,
  ),
});
export type UnfinishedJob = RecordOf<typeof UNFINISHED_JOB>;

export interface Lease {
  /** Names the process; a job is completed only by the owner of its lease. */
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

/** How much may wait for a claim; a client may have as much of it as it leaves free, and one job in any case. */
export interface QueueLimits {
  readonly jobs: number;
  /** Stored input of the waiting jobs together. A job is always taken when none waits. */
  readonly bytes: number;
}

/** Why a job found no place. */
export type FullQueue = 'too_many_jobs' | 'too_many_bytes' | 'too_many_of_client';

export type InsertOutcome = 'inserted' | 'duplicate' | FullQueue;

/** How a job ends. `now` in milliseconds. */
export interface JobEnd {
  readonly now: number;
  /** Published when the job failed. */
  readonly errorId: string;
}

export type CancelOutcome =
  | { readonly kind: 'cancelled'; readonly job: JobSubject }
  | { readonly kind: 'finished' | 'running' | 'unknown' };

/** What became of a completed job. `lost`: another owner has it, nothing was stored. */
export type CompletionOutcome = 'matched' | 'failed' | 'lost';

/**
 * How long a process must have lived before it begins a job again that so many others died of, milliseconds.
 *
 * Somebody who kills the process again and again would otherwise hit the same job three times by chance.
 */
const CALM_MS: readonly number[] = [0, 0, 10_000];

/**
 * The most lone crashes that a suspect may have to be begun by a process of this age.
 *
 * @param ageMs milliseconds since the start of the process.
 * @see docs/adr/0014-verification-queue.md
 */
export function maxLoneCrashes(ageMs: number): number {
  // A clock that was set back makes a process younger than it is, but never younger than new.
  return CALM_MS.findLastIndex((calmMs) => Math.max(0, ageMs) >= calmMs);
}
