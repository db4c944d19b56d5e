import { MAX_INT64 } from '../../../values/int64.ts';

/** A balance beyond int64 cannot be real; it is unknown rather than wrong. */
export function int64OrNull(balance: bigint): bigint | null {
  return balance > MAX_INT64 || balance < -MAX_INT64 ? null : balance;
}
