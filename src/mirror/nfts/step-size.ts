/** Rows that are looked at before other requests get a turn. */
export const LONGEST_STEP = 2000;

/** Matches are mostly near: each step looks further than the one before. */
export function nextStep(count: number): number {
  return Math.min(4 * count, LONGEST_STEP);
}
