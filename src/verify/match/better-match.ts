import type { MatchGrade } from './compiled-code.ts';

/** Grades of both sides. */
export interface Grades {
  readonly creation: MatchGrade | null;
  readonly runtime: MatchGrade | null;
}

/**
 * True when a new result replaces the stored one: one side is better and the other is not worse.
 *
 * @see contracts/verification-api.md section 9
 */
export function isBetterMatch(candidate: Grades, stored: Grades): boolean {
  const creation = score(candidate.creation) - score(stored.creation);
  const runtime = score(candidate.runtime) - score(stored.runtime);
  return (creation > 0 && runtime >= 0) || (runtime > 0 && creation >= 0);
}

/** True when nothing can be better. */
export function isFullyVerified({ creation, runtime }: Grades): boolean {
  return creation === 'exact_match' && runtime === 'exact_match';
}

function score(grade: MatchGrade | null): number {
  if (grade === null) return 0;
  return grade === 'match' ? 1 : 2;
}
