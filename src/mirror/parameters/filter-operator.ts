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

/** The value after the operator, where the operator is ignored. */
export function operand(text: string): string {
  return parseFilter(text)?.value ?? text;
}

/** A check for names; letter case and operator are ignored. */
export function isOneOf(...names: readonly string[]): (text: string) => boolean {
  return (text) => {
    const filter = parseFilter(text);
    return filter !== null && names.includes(filter.value.toLowerCase());
  };
}

function isOperator(text: string): text is FilterOperator {
  return OPERATORS.has(text);
}
