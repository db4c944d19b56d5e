import type { Hex } from '../../../src/values/hex.ts';
import { withSubmissions } from '../../../src/verify/jobs/queue/with-submissions.ts';
import type { MatchedVerification } from '../../../src/verify/jobs/results/verification-result.ts';
import type { VerifyStore } from '../../../src/verify/verify-store.ts';
import { ANY_JOB, aJob, aLease, anEnd } from './a-job.ts';

/** Stores a verified contract as the end of a job does. An area on the store must run no jobs, or it may take this one first. */
export async function storeMatch(
  store: VerifyStore,
  {
    address,
    at = 1000,
    chainId = '1',
  }: { readonly address: Hex; readonly at?: number; readonly chainId?: string },
  result: MatchedVerification,
): Promise<void> {
  const jobs = withSubmissions(store.jobs);
  await jobs.insert(aJob(address, { chainId }), { jobs: 10, bytes: 1_000_000 });
  const job = await jobs.claim(aLease('a', at), ANY_JOB);
  const outcome = await jobs.complete(job?.id ?? '', 'a', result, anEnd(at));
  if (outcome !== 'matched') throw new Error(`the match of ${address} was not stored: ${outcome}`);
}
