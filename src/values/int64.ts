/** The range of the integers that ledgers, EVM chains and databases store in 64 bits. */
export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
