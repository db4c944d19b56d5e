import type { MaybePromise } from '../../../values/map-maybe.ts';
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

/** A larger one that is packed takes so long to compile that the commit before it does not count. */
const MAX_EARLY_BYTES = 1_048_576;

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
  const recent = new ByteBoundMap<string, MaybePromise<Submission>>(maxRecentBytes);
  return {
    ...store,
    /** @param onSent called when the row is on its way: a claim that is made then can share its commit. */
    async insert(job: NewJob, limits: QueueLimits, onSent?: (sent: SentJob) => void): Promise<InsertOutcome> {
      const { id, submission } = job;
      const packed: PackedSubmission =
        submission.kind === 'packed' ? submission : { kind: 'packed', ...(await packSubmission(submission)) };
      const { bytes } = packed;
      const keep = <T extends MaybePromise<Submission>>(read: T): T => {
        recent.set(id, read, heapBytesOf(bytes));
        return read;
      };
      // Before the commit, behind which it may be claimed at once.
      if (submission.kind !== 'packed') keep(submission);
      // The one that is stored is moved to the thread of the writer.
      const isEarly = bytes <= MAX_EARLY_BYTES && heapBytesOf(bytes) <= maxRecentBytes;
      const copy = isEarly && packed.packed !== null ? new Uint8Array(packed.packed) : null;
      const read = () => {
        if (submission.kind !== 'packed') return submission;
        if (packed.packed === null) return keep(readStoredSubmission(packed.input));
        return copy === null ? null : keep(unpack({ input: '', packed: copy }));
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
        // One that could not be unpacked beside its insertion is read as any other.
        const known = await Promise.resolve(recent.take(job.id)).catch(() => null);
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
