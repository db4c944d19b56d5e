/** How long a source, or one node of it, is left alone after it failed. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Those that failed together shall not come back together. */
const JITTER = 0.2;

/**
 * The pause after so many failures in a row: doubling up to the longest, a fifth shorter or longer by chance.
 *
 * @param failures 1 after the first
 * @param random from 0 to below 1
 */
export function backOffMs(failures: number, { firstMs, longestMs }: BackOff, random: () => number): number {
  const doubled = Math.min(firstMs * 2 ** (failures - 1), longestMs);
  return Math.round(doubled * (1 + JITTER * (2 * random() - 1)));
}
