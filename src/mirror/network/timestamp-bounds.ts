import { atMostInt64, MAX_INT64 } from '../../values/int64.ts';
import type { TimestampCondition } from '../parameters/timestamp-text.ts';

/** Inclusive bounds of consensus time; null where the query sets none. */
export interface TimestampBounds {
  readonly lower: bigint | null;
  readonly upper: bigint | null;
}

/**
 * Bounds of a document that has one state per time: `eq` means "at or before", of several bounds in one
 * direction the last counts.
 *
 * @param conditions without `ne`, which these documents refuse.
 * @see contracts/mirror-network.md section 3, result table
 */
export function replacingBounds(conditions: readonly TimestampCondition[]): TimestampBounds {
  let lower: bigint | null = null;
  let upper: bigint | null = null;
  for (const condition of conditions) {
    const bound = toBound(condition);
    if (bound.side === 'lower') lower = bound.value;
    else upper = bound.value;
  }
  return { lower, upper };
}

/** The same with the greatest lower and the least upper bound. @see contracts/mirror-network.md section 2 */
export function narrowingBounds(conditions: readonly TimestampCondition[]): TimestampBounds {
  let lower: bigint | null = null;
  let upper: bigint | null = null;
  for (const condition of conditions) {
    const { side, value } = toBound(condition);
    if (side === 'lower') lower = lower === null || value > lower ? value : lower;
    else upper = upper === null || value < upper ? value : upper;
  }
  return { lower, upper };
}

/** Times beyond int64 are later than all that is stored. */
function toBound({ operator, value }: TimestampCondition): { side: 'lower' | 'upper'; value: bigint } {
  const clamped = atMostInt64(value);
  if (operator === 'gt') return { side: 'lower', value: clamped === MAX_INT64 ? clamped : clamped + 1n };
  if (operator === 'gte') return { side: 'lower', value: clamped };
  if (operator === 'lt') return { side: 'upper', value: clamped - 1n };
  return { side: 'upper', value: clamped };
}

/** The time of a lone condition without operator or with `eq`; others state what may be missing. */
export function loneTime(conditions: readonly TimestampCondition[]): bigint | null {
  const [first, ...others] = conditions;
  return first !== undefined && others.length === 0 && first.operator === 'eq' ? first.value : null;
}
