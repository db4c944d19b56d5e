import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest } from '../errors.ts';
import type { ParameterValues } from './check-parameters.ts';
import { type Filter, parseFilter } from './filter-operator.ts';
import { type KeyPart, type PartConditions, partConditions } from './two-part-key.ts';

/** A lower and an upper bound, or one value. */
const MAX_VALUES = 2;

/**
 * Reads the conditions on the parts of a key by which a list is ordered.
 *
 * @param values checked one by one.
 * @returns the conditions in the order of the parts.
 * @throws MirrorApiError 400 with the first violation in query order.
 * @see contracts/mirror-entities.md section 1.5
 */
export async function readOrderedKeys(
  values: ParameterValues,
  parts: readonly KeyPart[],
): Promise<readonly PartConditions[]> {
  const names = new Set(parts.map(({ parameter }) => parameter));
  for (const [name, texts] of values) {
    if (!names.has(name)) continue;
    const refusal = refuse(
      name,
      texts.map(parseFilter).filter((filter) => filter !== null),
    );
    if (refusal !== null) throw invalidRequest([refusal]);
  }
  return Promise.all(parts.map((part) => partConditions(part, values.get(part.parameter) ?? [])));
}

function refuse(name: string, filters: readonly Filter[]): string | null {
  const count = (...operators: readonly string[]) =>
    filters.filter(({ operator }) => operators.includes(operator)).length;
  if (count('ne') > 0) return `Unsupported range operator ne for ${name}`;
  if (count('eq') > 1) return `Only one equal (eq) operator is allowed for ${name}`;
  if (count('eq') > 0 && filters.length > 1) return `Can't support both range and equal for ${name}`;
  if (count('gt', 'gte') > 1) return `Only one gt/gte operator is allowed for ${name}`;
  if (count('lt', 'lte') > 1) return `Only one lt/lte operator is allowed for ${name}`;
  return filters.length > MAX_VALUES ? `At most ${MAX_VALUES} values are allowed for ${name}` : null;
}

/** Whether nothing lies between the bounds of a part. */
export function isCrossed({ lower, upper }: PartConditions): boolean {
  if (lower === null || upper === null || lower.value > MAX_INT64) return false;
  const first = lower.isInclusive ? lower.value : lower.value + 1n;
  const last = upper.isInclusive ? upper.value : upper.value - 1n;
  return first > last;
}

/**
 * Whether a key is among those asked for.
 *
 * Parts with one value are filters. On each side the first of the others that has a bound counts; the ones after it
 * count only where the key is at an inclusive bound.
 */
export function meetsKeys(conditions: readonly PartConditions[], key: readonly bigint[]): boolean {
  for (const [index, { equal }] of conditions.entries()) {
    if (equal !== null && key[index] !== equal) return false;
  }
  return meetsSide(conditions, key, 'lower') && meetsSide(conditions, key, 'upper');
}

function meetsSide(
  conditions: readonly PartConditions[],
  key: readonly bigint[],
  side: 'lower' | 'upper',
): boolean {
  for (const [index, condition] of conditions.entries()) {
    const bound = condition[side];
    if (condition.equal !== null || bound === null) continue;
    const value = key[index] ?? 0n;
    if (value !== bound.value) return value > bound.value === (side === 'lower');
    if (!bound.isInclusive) return false;
  }
  return true;
}
