import { printTimestamp } from '../../values/consensus-timestamp.ts';

/** What is not there of the sidecars that stored record files name. */
export interface MissingSidecars {
  readonly sidecars: number;
  readonly units: number;
  /** Ends of the first and the last of these units, nanoseconds; null when none is missing. */
  readonly first: bigint | null;
  readonly last: bigint | null;
}

export const NONE_MISSING: MissingSidecars = { sidecars: 0, units: 0, first: null, last: null };

/** As readiness shows it. */
export function describeMissingSidecars({ first, last, sidecars, units }: MissingSidecars) {
  return {
    sidecars,
    units,
    ...(first === null || last === null ? {} : { first: printTimestamp(first), last: printTimestamp(last) }),
  };
}
