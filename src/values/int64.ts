/** The range of the integers that ledgers, EVM chains and databases store in 64 bits. */
export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;

/** A number, or the greatest of the range where it is greater. */
export const atMostInt64 = (value: bigint): bigint => (value > MAX_INT64 ? MAX_INT64 : value);
