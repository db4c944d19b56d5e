import type { ParameterValues } from './check-parameters.ts';
import { parseFilter } from './filter-operator.ts';

/** The check of a value that is `true` or `false`, in any letter case, without another operator than `eq`. */
export function isFlag(text: string): boolean {
  return parseFlag(text) !== null;
}

/** The last checked value. @param absent what counts without one */
export function lastFlag(values: ParameterValues, name: string, absent: boolean): boolean {
  const text = values.get(name)?.at(-1);
  return text === undefined ? absent : parseFlag(text) === true;
}

/** Null for another text. */
export function parseFlag(text: string): boolean | null {
  const filter = parseFilter(text);
  const value = filter?.operator === 'eq' ? filter.value.toLowerCase() : null;
  return value === 'true' ? true : value === 'false' ? false : null;
}
