/** How a parameter value compares. */
export type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';

/** A value with its operator; without one it means `eq`. */
export interface Filter {
  readonly operator: FilterOperator;
  readonly value: string;
}

const OPERATORS: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']);

/**
 * Splits `op:value`. Operators are lower case; more than one colon is never valid.
 *
 * @see contracts/mirror-transactions.md section 3
 */
export function parseFilter(text: string): Filter | null {
  const colon = text.indexOf(':');
  if (colon === -1) return { operator: 'eq', value: text };
  const operator = text.slice(0, colon);
  const value = text.slice(colon + 1);
  return isOperator(operator) && !value.includes(':') ? { operator, value } : null;
}

function isOperator(text: string): text is FilterOperator {
  return OPERATORS.has(text);
}
