import type { Hex } from '../../values/hex.ts';
import type { JobFailure } from '../job-failure.ts';
import type { MatchGrade } from '../match/compiled-code.ts';
import type { Submission } from '../submission.ts';
import type { JobBytecodes, VerificationResult } from './verification-result.ts';

/** A job as it is accepted. `address` is lower case; times are milliseconds since the epoch. */
export interface NewJob {
  readonly id: string;
  readonly chainId: string;
  readonly address: Hex;
  readonly startedAt: number;
  readonly submission: Submission;
}

/** A job that this process may run until its lease ends. */
export interface ClaimedJob extends NewJob {
  /** How often it was claimed, this time included. */
  readonly claims: number;
}

/** A job as the API shows it. */
export interface JobRecord {
  readonly id: string;
  readonly chainId: string;
  readonly address: Hex;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly compilationMs: number | null;
  readonly match: JobMatch | null;
  readonly error: (JobFailure & { readonly id: string }) | null;
  readonly bytecodes: JobBytecodes;
}

export interface JobMatch {
  readonly creation: MatchGrade | null;
  readonly runtime: MatchGrade | null;
  readonly matchId: bigint;
  readonly verifiedAt: number;
}

export interface Lease {
  /** Names the process; a job is completed only by the owner of its lease. */
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

export type InsertOutcome = 'inserted' | 'duplicate' | 'queue_full';

/** What became of a completed job. `lost`: another owner has it, nothing was stored. */
export type CompletionOutcome = 'matched' | 'failed' | 'lost';

/**
 * The durable queue of verifications. Every method is one transaction.
 *
 * @see contracts/verification-api.md section 3.4
 */
export interface JobRepository {
  /** Stores a job unless the address has an unfinished one or `maxWaiting` jobs wait already. */
  insert(job: NewJob, maxWaiting: number): Promise<InsertOutcome>;
  find(id: string): Promise<JobRecord | null>;
  /** Takes the oldest job without a valid lease; null when there is none. */
  claim(lease: Lease): Promise<ClaimedJob | null>;
  /** Prolongs a lease. @returns false when the owner has lost it. */
  heartbeat(id: string, lease: Lease): Promise<boolean>;
  /** Gives a job back without counting the claim: the process stops in order. */
  release(id: string, owner: string): Promise<void>;
  /** Makes every unfinished job available again, at the start of the only process that runs them. */
  requeueAll(): Promise<number>;
  /**
   * Ends a job: contract, match, bytecodes and job row in one transaction. A result that is not better than
   * the stored one ends as `already_verified`.
   *
   * @see contracts/verification-api.md section 9
   */
  complete(
    id: string,
    owner: string,
    result: VerificationResult,
    end: { readonly now: number; readonly errorId: string },
  ): Promise<CompletionOutcome>;
  /** Jobs that wait for a claim, and jobs under a lease. */
  count(): Promise<{ readonly waiting: number; readonly running: number }>;
}
