import { ByteBoundMap } from '../../byte-bound-map.ts';
import {
  heapBytesOf,
  type PackedSubmission,
  packSubmission,
  readStoredSubmission,
  type StoredSubmission,
  type Submission,
  unpackSubmission,
} from '../../model/submission.ts';
import type { JobStore } from './job-repository.sql.ts';
import type {
  ClaimedJob,
  ClaimRule,
  InsertOutcome,
  Lease,
  NewJob,
  QueueLimits,
  SentJob,
} from './job-repository.ts';

/** The queue as the area uses it. */
export type JobRepository = ReturnType<typeof withSubmissions>;

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
) {
  const recent = new ByteBoundMap<string, Submission>(maxRecentBytes);
  return {
    ...store,
    /** @param onSent called when the row is on its way: a claim that is made then can share its commit. */
    async insert(job: NewJob, limits: QueueLimits, onSent?: (sent: SentJob) => void): Promise<InsertOutcome> {
      const { id, submission } = job;
      const packed: PackedSubmission =
        submission.kind === 'packed' ? submission : { kind: 'packed', ...(await packSubmission(submission)) };
      const { bytes } = packed;
      const keep = (read: Submission): Submission => {
        recent.set(id, read, heapBytesOf(bytes));
        return read;
      };
      // Before the commit, behind which it may be claimed at once.
      if (submission.kind !== 'packed') keep(submission);
      const read = () => {
        if (submission.kind !== 'packed') return submission;
        return packed.packed === null ? keep(readStoredSubmission(packed.input)) : null;
      };
      let outcome: InsertOutcome | null = null;
      try {
        const stored = store.insert({ ...job, submission: packed }, limits);
        onSent?.({ bytes, read });
        outcome = await stored;
        return outcome;
      } finally {
        if (outcome !== 'inserted') recent.take(id);
      }
    },
    async claim(lease: Lease, rule: ClaimRule): Promise<ClaimedJob | null> {
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
    async cancel(...cancelled: Parameters<JobStore['cancel']>) {
      const outcome = await store.cancel(...cancelled);
      if (outcome.kind === 'cancelled') recent.take(cancelled[0]);
      return outcome;
    },
  };
}
