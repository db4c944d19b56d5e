import { MAX_INT64 } from '../../values/int64.ts';
import type { EntityTimes } from '../ledger/entity-reader.sql.ts';
import { narrowingBounds } from '../network/timestamp-bounds.ts';
import type { TimestampCondition } from '../parameters/timestamp-text.ts';

/**
 * When an entity is asked for: `eq` means "at or before", `ne` leaves out what held at that time.
 *
 * @see contracts/mirror-entities.md section 3
 */
export function entityTimes(conditions: readonly TimestampCondition[]): EntityTimes {
  const { lower, upper } = narrowingBounds(conditions.filter(({ operator }) => operator !== 'ne'));
  return {
    lower: lower ?? 0n,
    upper: upper ?? MAX_INT64,
    excluded: conditions.filter(({ operator }) => operator === 'ne').map(({ value }) => value),
  };
}
