const given = process.env['ATTACK_SECONDS'];

/** Whether this is the full form, `npm run test:attack`, which also asserts how fast answers are. */
export const IS_FULL = given !== undefined;

/** How long an attack lasts: `ATTACK_SECONDS`, or what the short form in CI has time for. */
export function attackMs(shortSeconds: number): number {
  return 1000 * Number(given ?? shortSeconds);
}

/** Time limit of a test with an attack: everything around it may take a minute on a busy machine. */
export function attackTimeout(shortSeconds: number): { readonly timeout: number } {
  return { timeout: attackMs(shortSeconds) * 2 + 90_000 };
}
