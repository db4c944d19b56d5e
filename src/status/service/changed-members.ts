import { isDeepStrictEqual } from 'node:util';
import { type Input, isObject } from '../rules/input-members.ts';

/**
 * The members in which two representations differ; of lists whose items have ids only the items that do.
 *
 * An incident grows with every update, so keeping it whole at each of them would grow with the square.
 */
export function changedMembers(
  old: object | null,
  next: object | null,
): { readonly before: Input | null; readonly after: Input | null } {
  const before = membersOf(old);
  const after = membersOf(next);
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  return {
    before: Object.fromEntries(names.map((name) => [name, difference(before[name], after[name])])),
    after: Object.fromEntries(names.map((name) => [name, difference(after[name], before[name])])),
  };
}

function membersOf(value: object | null): Input | null {
  return value === null ? null : Object.fromEntries(Object.entries(value));
}

function difference(value: unknown, other: unknown): unknown {
  if (!isIdentifiedList(value) || !isIdentifiedList(other)) return value;
  const others = new Map(other.map((item) => [item['id'], item]));
  return value.filter((item) => !isDeepStrictEqual(item, others.get(item['id'])));
}

function isIdentifiedList(value: unknown): value is readonly Input[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && 'id' in item);
}
