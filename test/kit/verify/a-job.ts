import { randomUUID } from 'node:crypto';
import type { Hex } from '../../../src/values/hex.ts';
import type { ClaimRule, NewJob, QueueLimits } from '../../../src/verify/jobs/queue/job-repository.ts';
import {
  NO_BYTECODES,
  type VerificationResult,
} from '../../../src/verify/jobs/results/verification-result.ts';
import { failure } from '../../../src/verify/model/job-failure.ts';
import type { StandardJsonSubmission } from '../../../src/verify/model/submission.ts';

export const ADDRESS = `0x${'ab'.repeat(20)}` as Hex;
export const OTHER_ADDRESS = `0x${'cd'.repeat(20)}` as Hex;

/** The smallest submission there is. */
export const SUBMISSION: StandardJsonSubmission = {
  kind: 'standard_json',
  input: { language: 'Solidity', sources: { 'a.sol': { content: '' } } },
  compilerVersion: '0.8.30',
  target: { path: 'a.sol', name: 'A' },
  creationTransactionHash: null,
};

/** A job that ended with an error of the compiler. */
export const FAILED: VerificationResult = {
  kind: 'failed',
  failure: failure('compiler_error', { compilerErrorMessage: 'no' }),
  bytecodes: NO_BYTECODES,
};

/** What a test may choose about a job. */
export interface InsertOptions {
  readonly limits?: QueueLimits;
  readonly id?: string;
  readonly startedAt?: number;
  /** Default `1`. */
  readonly chainId?: string;
  readonly client?: string;
  readonly warnings?: readonly string[];
}

/** A job for an address, of chain 1 unless told otherwise. */
export function aJob(address: Hex = ADDRESS, options: InsertOptions = {}): NewJob {
  return {
    id: options.id ?? randomUUID(),
    chainId: options.chainId ?? '1',
    address,
    startedAt: options.startedAt ?? 1000,
    submission: SUBMISSION,
    warnings: options.warnings ?? [],
    ...(options.client === undefined ? {} : { client: options.client }),
  };
}

/** The lease of an owner, 100 ms long. */
export function aLease(owner: string, now: number) {
  return { owner, now, until: now + 100 };
}

/** The end of a job without warnings. */
export function anEnd(now: number) {
  return { now, errorId: randomUUID(), warnings: [] };
}

/** What an idle process that has lived long may take: any job. */
export const ANY_JOB: ClaimRule = { exceptChains: [], isIdle: true, maxLoneCrashes: 2 };
