import { VerifyRequestError } from '../errors.ts';
import type { PackedSubmission, Submission } from '../model/submission.ts';
import type { PackedOrRefused, PreparedBody, Refusal } from './prepared-body.ts';

/** Takes the place of a body that was read in the thread; its checks happen where those of other bodies do. */
export class LargeBody {
  readonly #prepared: Exclude<PreparedBody, { readonly kind: 'unreadable' | 'form' }>;

  /** @throws VerifyRequestError for a body that is not readable. */
  constructor(prepared: Exclude<PreparedBody, { readonly kind: 'form' }>) {
    if (prepared.kind === 'unreadable') throw errorOf(prepared.refusal);
    this.#prepared = prepared;
  }

  /** What the schema has against it; null when it fits. */
  get fault(): VerifyRequestError | null {
    return this.#prepared.kind === 'malformed' ? errorOf(this.#prepared.refusal) : null;
  }

  /** What the body names beside the submission; null when the path does. */
  get target(): { readonly chainId: string; readonly address: string } | null {
    return this.#prepared.kind === 'read' ? this.#prepared.target : null;
  }

  get creationTransactionHash(): string | undefined {
    return this.#prepared.kind === 'read' ? this.#prepared.creationTransactionHash : undefined;
  }

  /** @throws VerifyRequestError `invalid_parameter` */
  submission(): PackedSubmission {
    const submission = this.#prepared.kind === 'read' ? this.#prepared.submission : null;
    if (submission === null) throw new Error('This body submits nothing');
    return requirePacked(submission);
  }
}

/** @throws VerifyRequestError for a submission that was refused in the thread. */
export function requirePacked(submission: PackedOrRefused): PackedSubmission {
  if (submission.kind === 'refused') throw errorOf(submission.refusal);
  return submission;
}

/** The submission of a body: read at once, or read already when it was large. @throws VerifyRequestError */
export function submissionOf<Body>(
  body: Body,
  read: (body: Body) => Submission,
): Submission | PackedSubmission {
  return body instanceof LargeBody ? body.submission() : read(body);
}

function errorOf(refusal: Refusal): VerifyRequestError {
  return new RefusedLargeBody(refusal);
}

class RefusedLargeBody extends VerifyRequestError {
  override readonly more: Readonly<Record<string, unknown>>;

  constructor({ code, message, more }: Refusal) {
    super(code, message);
    this.more = more;
  }
}
