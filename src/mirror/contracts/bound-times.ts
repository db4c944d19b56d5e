import type { IntegerRange } from '../parameters/page-parameters.ts';

/**
 * Cuts the times of a list where the server bounds them; null where it does not.
 *
 * @returns the edge at which they were cut, from which the next page goes on; null when nothing was cut
 * @see contracts/mirror-transactions.md section 3.4
 */
export type BoundTimes = (
  times: IntegerRange,
  order: 'asc' | 'desc',
) => Promise<(IntegerRange & { readonly cutAt: bigint | null }) | null>;
