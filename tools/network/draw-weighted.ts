import type { RandomSource } from './seeded-random.ts';

/** Things that may be drawn, and how often each is against the others. */
export type Weighted<T> = readonly (readonly [weight: number, thing: T])[];

/** A function that draws one of them. */
export function weightedDraw<T>(things: Weighted<T>): (random: RandomSource) => T {
  const total = things.reduce((sum, [weight]) => sum + weight, 0);
  return (random) => {
    let left = random.below(total);
    for (const [weight, thing] of things) {
      if (left < weight) return thing;
      left -= weight;
    }
    throw new RangeError('Nothing to draw from');
  };
}
