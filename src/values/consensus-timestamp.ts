import { MAX_INT64 } from './int64.ts';
/** A consensus time in nanoseconds since the Unix epoch, int64. */
export type ConsensusTimestamp = bigint & { readonly __brand: 'ConsensusTimestamp' };

export const NANOS_PER_SECOND = 1_000_000_000n;
export const NANOS_PER_MILLISECOND = 1_000_000n;

/** Longest form a stored time can have: 19 digits, `9223372036.854775807`. */
export const MAX_CONSENSUS_TIMESTAMP = MAX_INT64 as ConsensusTimestamp;

const TIMESTAMP = /^(\d{1,10})(?:\.(\d{1,9}))?$/;

/** Marks nanoseconds since the epoch as a consensus time. */
export function consensusTimestamp(nanos: bigint): ConsensusTimestamp {
  return nanos as ConsensusTimestamp;
}

/** Builds a consensus time from the two members of a protobuf `Timestamp`. */
export function timestampFromParts(seconds: bigint, nanos: number): ConsensusTimestamp {
  return (seconds * NANOS_PER_SECOND + BigInt(nanos)) as ConsensusTimestamp;
}

/**
 * Parses `seconds[.fraction]`; the fraction is right-padded, so `1.5` is 1 500 000 000 ns.
 *
 * @returns null when the text has another form (more than 10 or 9 digits included).
 * @see contracts/seed.txt section 4.4, parameter timestamp
 */
export function parseTimestamp(text: string): ConsensusTimestamp | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [, seconds = '', fraction = ''] = match;
  return BigInt(seconds + fraction.padEnd(9, '0')) as ConsensusTimestamp;
}

/** Whether {@link parseTimestamp} reads the text. */
export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text);
}

/** Prints `seconds.nnnnnnnnn`: always nine fraction digits, seconds not padded. */
export function printTimestamp(timestamp: bigint): string {
  if (timestamp >= NANOS_PER_SECOND) {
    const digits = timestamp.toString();
    return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
  }
  const sign = timestamp < 0n ? '-' : '';
  const nanos = timestamp < 0n ? -timestamp : timestamp;
  return `${sign}${nanos / NANOS_PER_SECOND}.${(nanos % NANOS_PER_SECOND).toString().padStart(9, '0')}`;
}
