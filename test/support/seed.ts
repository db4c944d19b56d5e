/** What the random tests of the running file have drawn from, for the message after a failure. */
const used = new Map<string, string>();

/**
 * Seed of a test that draws at random: `TEST_SEED`, or else its usual one, so that every run tries the same.
 *
 * @throws Error when `TEST_SEED` is not an integer.
 */
export function seedOf(usual: string): string {
  const seed = givenSeed() ?? usual;
  used.set(usual, seed);
  return seed;
}

/** The same for what no two runs need to have in common: the one that this run of the tests has drawn. */
export function freshSeed(): number {
  const seed = givenSeed() ?? process.env['TEST_RUN_SEED'] ?? '0';
  used.set('drawn for this run', seed);
  return Number(seed) | 0;
}

/** Numbers from 0 up to, not including, 1, always the same for a seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How to repeat what failed; null when nothing was drawn. */
export function seedsToRepeat(): string | null {
  if (used.size === 0) return null;
  const seeds = [...used].map(([usual, seed]) => (usual === seed ? `"${seed}" (the usual one)` : seed));
  return `random tests of this file drew from seed ${[...new Set(seeds)].join(', ')}: TEST_SEED=N repeats or changes it`;
}

/** Forgets them, where files share a process. */
export function forgetSeeds(): void {
  used.clear();
}

function givenSeed(): string | null {
  const given = process.env['TEST_SEED'] ?? '';
  if (given === '') return null;
  if (!/^-?\d{1,10}$/.test(given)) throw new Error(`TEST_SEED must be an integer and is "${given}"`);
  return given;
}
