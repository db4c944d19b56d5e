import { MAX_INT64 } from '../../../values/int64.ts';

/** A balance beyond int64 cannot be real; it is unknown rather than wrong. */
export function int64OrNull(balance: bigint): bigint | null {
  return balance > MAX_INT64 || balance < -MAX_INT64 ? null : balance;
}

/**
 * The same for a balance of hbar: where a ledger does not begin with the first block, one that gets negative began
 * before it, for example where CREATE2 made a contract of an account that was there.
 */
export function hbarOrNull(balance: bigint, { isComplete }: { readonly isComplete: boolean }): bigint | null {
  return balance < 0n && !isComplete ? null : int64OrNull(balance);
}
