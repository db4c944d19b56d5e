import { isTimestamp, parseTimestamp } from '../../values/consensus-timestamp.ts';
import { type FilterOperator, parseFilter } from './filter-operator.ts';

/** A condition on consensus time, nanoseconds. */
export interface TimestampCondition {
  readonly operator: FilterOperator;
  readonly value: bigint;
}

/**
 * Reads `[op:]seconds[.fraction]`.
 *
 * @returns null when the text has another form.
 * @see contracts/mirror-transactions.md section 3.3
 */
function parseTimestampCondition(text: string): TimestampCondition | null {
  const filter = parseFilter(text);
  const value = filter === null ? null : parseTimestamp(filter.value);
  return filter === null || value === null ? null : { operator: filter.operator, value };
}

/** The check of one value, which makes no number yet. */
export function isTimestampCondition(text: string): boolean {
  const filter = parseFilter(text);
  return filter !== null && isTimestamp(filter.value);
}

/** The conditions of a parameter that was checked before. */
export function timestampConditions(texts: readonly string[]): readonly TimestampCondition[] {
  return texts.map(parseTimestampCondition).filter((condition) => condition !== null);
}
