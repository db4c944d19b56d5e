import { MAX_INT64 } from '../../values/int64.ts';
/** The largest amount that an estimate can show: sums and products stop here instead of wrapping around. */
export const MAX_TINYCENTS = MAX_INT64;

/** A price multiplier of 1; raw multipliers count thousandths. @see contracts/fees-estimate.md section 6 */
export const UNIT_MULTIPLIER = 1000n;

/** Adds amounts that are not negative; at most {@link MAX_TINYCENTS}. @see contracts/fees-estimate.md section 3 */
export function addTinycents(left: bigint, right: bigint): bigint {
  return saturate(left + right);
}

/** Multiplies values that are not negative; at most {@link MAX_TINYCENTS}. */
export function multiplyTinycents(left: bigint, right: bigint): bigint {
  return saturate(left * right);
}

/**
 * Applies a raw price multiplier, rounding down.
 *
 * @example scaleTinycents(100_000n, 5400n) // 540_000n
 */
export function scaleTinycents(amount: bigint, rawMultiplier: bigint): bigint {
  if (rawMultiplier === UNIT_MULTIPLIER) return amount;
  return multiplyTinycents(amount, rawMultiplier) / UNIT_MULTIPLIER;
}

function saturate(value: bigint): bigint {
  return value > MAX_TINYCENTS ? MAX_TINYCENTS : value;
}
