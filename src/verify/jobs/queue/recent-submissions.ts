import type { Submission } from '../../model/submission.ts';

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
