import { type ConsensusTimestamp, consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { type FixtureObject, object, time } from './fixture-members.ts';

const FIRST_NANOSECOND = consensusTimestamp(0n);

/**
 * Since when an object holds, from its member `timestamp` with `from` and `to`: from the beginning when it does not tell.
 *
 * @returns null when it no longer holds.
 */
export function currentSince(row: FixtureObject): ConsensusTimestamp | null {
  const range = object(row, 'timestamp') ?? {};
  return time(range, 'to') === null ? (time(range, 'from') ?? FIRST_NANOSECOND) : null;
}
