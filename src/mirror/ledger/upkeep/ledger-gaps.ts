import type { Awaitable } from '../../../values/and-then.ts';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';

/** A range without units that the operator accepted; times are nanoseconds, both themselves outside the gap. */
export interface LedgerGap {
  /** End of the last unit before the gap. */
  readonly from: bigint;
  /** Begin of the first unit after it. */
  readonly to: bigint;
  /** Name of the first unit after it. */
  readonly unit: string;
  /** Hash of the last unit before the gap. */
  readonly expectedHash: Uint8Array;
  /** Hash that the first unit after it names as previous. */
  readonly foundHash: Uint8Array;
}

/** A gap with the operator's word for it. */
export interface AcceptedGap extends LedgerGap {
  readonly reason: string;
}

/** Gaps over which an import may continue. @see contracts/streams.md section 11, allowed jumps */
export interface LedgerGaps {
  /** In the order of time. */
  accepted(): Awaitable<readonly AcceptedGap[]>;
  /** Whether a unit that names `found` may follow the one with hash `expected`. */
  accepts(expected: Uint8Array, found: Uint8Array): Promise<boolean>;
  /** Whether a time lies in an accepted gap. */
  covers(instant: bigint): Promise<boolean>;
  accept(gap: AcceptedGap): Promise<void>;
}

/** A ledger that allows none. */
export const noGaps: Pick<LedgerGaps, 'accepts' | 'covers'> = {
  accepts: async () => false,
  covers: async () => false,
};

/** A gap as readiness shows it. */
export function describeGap({ from, reason, to, unit }: AcceptedGap): Readonly<Record<string, string>> {
  return { from: printTimestamp(from), to: printTimestamp(to), unit, reason };
}
