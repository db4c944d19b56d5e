import type { ProofFailure } from './proof-verdict.ts';

/** Ends the check of a proof; becomes its verdict. */
export class FailedCheck extends Error {
  readonly failure: ProofFailure;

  constructor(failure: ProofFailure, reason: string, options: { readonly cause?: unknown } = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
  }
}
