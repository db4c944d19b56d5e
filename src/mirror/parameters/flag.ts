import { parseFilter } from './filter-operator.ts';

/** The check of a value that is `true` or `false`, in any letter case, without another operator than `eq`. */
export function isFlag(text: string): boolean {
  return parseFlag(text) !== null;
}

/** Null for another text. */
export function parseFlag(text: string): boolean | null {
  const filter = parseFilter(text);
  const value = filter?.operator === 'eq' ? filter.value.toLowerCase() : null;
  return value === 'true' ? true : value === 'false' ? false : null;
}
