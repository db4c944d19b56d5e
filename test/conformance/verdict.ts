import type { Submitted } from './verify-server.ts';

/** Values that a case allows; null is none, `*` any. */
export interface Wanted {
  readonly creationMatch: readonly (string | null)[];
  readonly runtimeMatch: readonly (string | null)[];
  readonly error: readonly (string | null)[];
}

/** Where the end of a submission is not among what the case allows. What is refused at once has no match. */
export function judgeSubmitted(submitted: Submitted, want: Wanted): readonly string[] {
  const contract = submitted.kind === 'refused' ? {} : submitted.job.contract;
  const error =
    submitted.kind === 'refused' ? submitted.customCode : (submitted.job.error?.customCode ?? null);
  const got = {
    creationMatch: (contract['creationMatch'] ?? null) as string | null,
    runtimeMatch: (contract['runtimeMatch'] ?? null) as string | null,
    error,
  };
  // `*` allows any error; that there is none has to be allowed by null.
  const isAllowed = (member: 'creationMatch' | 'runtimeMatch' | 'error') =>
    want[member].includes(got[member]) ||
    (want[member].includes('*') && (member !== 'error' || got.error !== null));
  return (['creationMatch', 'runtimeMatch', 'error'] as const)
    .filter((member) => !isAllowed(member))
    .map((member) => `${member}: ${got[member]}, allowed: ${want[member].join(', ')}`);
}
