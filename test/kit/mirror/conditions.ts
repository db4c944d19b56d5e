import * as fc from '../../support/properties.ts';

/** A condition of a query on a number. */
export interface Condition {
  readonly operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: bigint;
}

export const anyOperator = fc.constantFrom<Condition['operator']>('eq', 'ne', 'gt', 'gte', 'lt', 'lte');

/** Up to so many conditions on values of one kind. */
export function anyConditions(
  value: fc.Arbitrary<bigint>,
  maxLength: number,
): fc.Arbitrary<readonly Condition[]> {
  return fc.array(fc.record({ operator: anyOperator, value }), { maxLength });
}

/** Whether a number meets one condition. */
export function meets(value: bigint, { operator, value: other }: Condition): boolean {
  if (operator === 'eq') return value === other;
  if (operator === 'ne') return value !== other;
  if (operator === 'gt') return value > other;
  if (operator === 'gte') return value >= other;
  return operator === 'lt' ? value < other : value <= other;
}

/** All `eq` values form one set, everything else holds at once. */
export function meetsAll(value: bigint, conditions: readonly Condition[]): boolean {
  const equals = conditions.filter((condition) => condition.operator === 'eq');
  const others = conditions.filter((condition) => condition.operator !== 'eq');
  return (
    (equals.length === 0 || equals.some((condition) => meets(value, condition))) &&
    others.every((condition) => meets(value, condition))
  );
}
