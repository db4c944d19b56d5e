import { ByteBoundMap } from '../../byte-bound-map.ts';
import {
  heapBytesOf,
  type PackedSubmission,
  packSubmission,
  type StoredSubmission,
  type Submission,
  unpackSubmission,
} from '../../model/submission.ts';
import type { InsertOutcome, JobRepository, JobStore } from './job-repository.ts';

/**
 * A queue that takes and gives whole submissions. What this process has just stored need not be read again.
 *
 * @param unpack reads a stored submission. Default: in this thread.
 * @param maxRecentBytes of submissions that this process has just stored and keeps as well. Default 64 MiB.
 */
export function withSubmissions(
  store: JobStore,
  unpack: (stored: StoredSubmission) => Promise<Submission> = unpackSubmission,
  maxRecentBytes = 67_108_864,
): JobRepository {
  const recent = new ByteBoundMap<string, Submission>(maxRecentBytes);
  return {
    ...store,
    async insert(job, limits, onSent) {
      const { id, submission } = job;
      const send = (packed: PackedSubmission) => {
        const stored = store.insert({ ...job, submission: packed }, limits);
        onSent?.();
        return stored;
      };
      if (submission.kind === 'packed') return send(submission);
      const packed = { kind: 'packed', ...(await packSubmission(submission)) } as const;
      // Before the commit, behind which it may be claimed at once.
      recent.set(id, submission, heapBytesOf(packed.bytes));
      let outcome: InsertOutcome | null = null;
      try {
        outcome = await send(packed);
        return outcome;
      } finally {
        if (outcome !== 'inserted') recent.take(id);
      }
    },
    async claim(lease, rule) {
      for (;;) {
        const job = await store.claim(lease, rule);
        if (job === null) return null;
        const known = recent.take(job.id);
        if (known !== null) return { ...job, submission: known };
        const stored = await store.submissionOf(job.id);
        if (stored !== null) return { ...job, submission: await unpack(stored) };
        // Another process has cancelled it since; the next one waits behind it.
      }
    },
    async cancel(id, end, which) {
      const outcome = await store.cancel(id, end, which);
      if (outcome.kind === 'cancelled') recent.take(id);
      return outcome;
    },
  };
}
