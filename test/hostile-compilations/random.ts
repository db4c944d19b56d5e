/** Numbers from a seed: the same seed gives the same contracts and mutations. */
export interface Random {
  /** An integer from 0 up to, not including, the limit. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Uint8Array;
}

/** Mulberry32; the texts after the number give every case a sequence of its own. */
export function seeded(seed: number, ...names: readonly string[]): Random {
  let state = seed >>> 0;
  for (const character of names.join('/'))
    state = Math.imul(state ^ character.charCodeAt(0), 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}
