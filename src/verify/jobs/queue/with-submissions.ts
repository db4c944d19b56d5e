import {
  type PackedSubmission,
  packSubmission,
  type StoredSubmission,
  type Submission,
  unpackSubmission,
} from '../../model/submission.ts';
import type { InsertOutcome, JobRepository, JobStore } from './job-repository.ts';

/** Submissions that wait in memory as well, size of their texts. */
const MAX_RECENT_BYTES = 67_108_864;

/**
 * A queue that takes and gives whole submissions. What this process has just stored need not be read again.
 *
 * @param unpack reads a stored submission. Default: in this thread.
 */
export function withSubmissions(
  store: JobStore,
  unpack: (stored: StoredSubmission) => Promise<Submission> = unpackSubmission,
): JobRepository {
  const recent = new RecentSubmissions(MAX_RECENT_BYTES);
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
      recent.keep(id, submission, packed.bytes);
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

/**
 * Submissions that this process has just stored, so that a job that begins at once need not be read again.
 *
 * Bounded by the size of their texts; the oldest goes first and is read from its row then.
 */
export class RecentSubmissions {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, { readonly submission: Submission; readonly bytes: number }>();
  #bytes = 0;

  /** @param maxBytes size of all texts together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param bytes size of the text that was stored. */
  keep(jobId: string, submission: Submission, bytes: number): void {
    this.#kept.set(jobId, { submission, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.take(oldest);
    }
  }

  /** Hands a submission over and forgets it; null when it is not kept. */
  take(jobId: string): Submission | null {
    const found = this.#kept.get(jobId);
    if (found === undefined) return null;
    this.#kept.delete(jobId);
    this.#bytes -= found.bytes;
    return found.submission;
  }
}
