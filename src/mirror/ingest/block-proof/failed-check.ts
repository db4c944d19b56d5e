import type { ProofFailure } from './proof-verdict.ts';

/** Ends the check of a proof; becomes its verdict. */
export class FailedCheck extends Error {
  readonly failure: ProofFailure;

  constructor(failure: ProofFailure, reason: string, options: { readonly cause?: unknown } = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.failure = failure;
  }
}

/** A check that was made: null when it held. */
export type CheckResult = { readonly failure: ProofFailure; readonly reason: string } | null;

/** Keeps what a check ends with. Other errors pass. */
export function checkResult(check: () => void): CheckResult {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof FailedCheck)) throw error;
    return { failure: error.failure, reason: error.message };
  }
}

/** @throws FailedCheck with the failure when the condition does not hold. */
export function demand(holds: boolean, failure: ProofFailure, reason: string): asserts holds {
  if (!holds) throw new FailedCheck(failure, reason);
}
