import { FailedCheck } from '../failed-check.ts';
import type { ProofFailure } from '../proof-verdict.ts';

/** @throws FailedCheck with the failure when the condition does not hold. */
export function demand(holds: boolean, failure: ProofFailure, reason: string): asserts holds {
  if (!holds) throw new FailedCheck(failure, reason);
}

/** The failure that a check ends with; null when it holds. Other errors pass. */
export function failureOf(check: () => void): ProofFailure | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof FailedCheck) return error.failure;
    throw error;
  }
}
