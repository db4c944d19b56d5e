import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import type { Schedule } from './schedule-repository.ts';

/** How long a schedule waits that names no end, with a minute until the network has removed it. */
const WITHOUT_EXPIRATION = 31n * 60n * NANOS_PER_SECOND;
const UNTIL_REMOVED = 60n * NANOS_PER_SECOND;

/**
 * Whether nothing will happen to a schedule any more.
 *
 * @param now nanoseconds
 * @see contracts/mirror-entities.md section 9.3
 */
export function isFinal(
  schedule: Pick<Schedule, 'consensusTimestamp' | 'executedTimestamp' | 'expirationTime' | 'isDeleted'>,
  now: bigint,
): boolean {
  const { consensusTimestamp, executedTimestamp, expirationTime, isDeleted } = schedule;
  if (executedTimestamp !== null || isDeleted === true) return true;
  return expirationTime === null
    ? now >= consensusTimestamp + WITHOUT_EXPIRATION
    : expirationTime + UNTIL_REMOVED <= now;
}
