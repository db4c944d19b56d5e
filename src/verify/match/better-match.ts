import type { Language, MatchGrade } from './compiled-code.ts';

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

/** Grades with the language of the sources that have them. */
export interface RankedGrades extends Grades {
  readonly language: Language;
}

/**
 * True when a new result takes the place of the stored one: it is better, or it has sources of a language that cannot
 * copy code while the stored ones are Yul, whose `verbatim` gives any code, and the code that lies there matches as well.
 * Yul takes the place of others only where it matches that code better.
 */
export function takesPlaceOf(candidate: RankedGrades, stored: RankedGrades): boolean {
  const runtime = score(candidate.runtime) - score(stored.runtime);
  if (candidate.language === 'Yul' && stored.language !== 'Yul') {
    return runtime > 0 && isBetterMatch(candidate, stored);
  }
  if (stored.language !== 'Yul' || candidate.language === 'Yul') return isBetterMatch(candidate, stored);
  return (
    runtime > 0 ||
    (runtime === 0 && (candidate.runtime !== null || score(candidate.creation) >= score(stored.creation)))
  );
}

/** True when nothing can be better. */
export function isFullyVerified({ creation, runtime }: Grades): boolean {
  return creation === 'exact_match' && runtime === 'exact_match';
}

function score(grade: MatchGrade | null): number {
  if (grade === null) return 0;
  return grade === 'match' ? 1 : 2;
}
