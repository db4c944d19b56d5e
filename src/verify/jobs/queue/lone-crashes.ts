/**
 * How long a process must have lived before it begins a job again that so many others died of, milliseconds.
 *
 * Somebody who kills the process again and again would otherwise hit the same job three times by chance.
 */
const CALM_MS: readonly number[] = [0, 0, 10_000];

/**
 * The most lone crashes that a suspect may have to be begun by a process of this age.
 *
 * @param ageMs milliseconds since the start of the process.
 * @see docs/adr/0014-verification-queue.md
 */
export function maxLoneCrashes(ageMs: number): number {
  // A clock that was set back makes a process younger than it is, but never younger than new.
  return CALM_MS.findLastIndex((calmMs) => Math.max(0, ageMs) >= calmMs);
}
