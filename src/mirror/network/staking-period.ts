import { NANOS_PER_SECOND, printTimestamp } from '../../values/consensus-timestamp.ts';

const DAY_NANOS = 86_400n * NANOS_PER_SECOND;

/** The day that begins 1 ns after a stored period end. @see contracts/mirror-network.md sections 5 and 6 */
export function stakingPeriod(end: bigint): { readonly from: string; readonly to: string } {
  const from = end + 1n;
  return { from: printTimestamp(from), to: printTimestamp(from + DAY_NANOS) };
}
