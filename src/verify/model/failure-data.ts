import { isJsonObject, type JsonObject } from '../json-object.ts';

/** Together the texts of a failure take no more than this, so that no source can fill the database. Characters. */
const TOTAL_TEXT = 65_536;
const LONGEST_TEXT = 4_000;
const MOST_ENTRIES = 50;

/**
 * Keeps the data of a failure small: long texts are cut, and of long lists the first entries stay.
 *
 * Data that is small already stays as it is. Of compiler errors that were left out the number is told as
 * `omittedCompilerErrors`.
 */
export function boundFailureData(data: JsonObject): JsonObject {
  const bounded = bound(data, { left: TOTAL_TEXT }) as JsonObject;
  const { compilerErrors } = data;
  const kept = bounded['compilerErrors'];
  if (!Array.isArray(compilerErrors) || !Array.isArray(kept) || kept.length === compilerErrors.length) {
    return bounded;
  }
  return { ...bounded, omittedCompilerErrors: compilerErrors.length - kept.length };
}

function bound(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') return cut(value, budget);
  if (Array.isArray(value)) {
    const entries: unknown[] = [];
    for (const entry of value.slice(0, MOST_ENTRIES)) {
      // The first entry always stays: an empty list would say that there was nothing.
      if (budget.left <= 0 && entries.length > 0) break;
      entries.push(bound(entry, budget));
    }
    return entries;
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bound(member, budget)]));
}

function cut(text: string, budget: { left: number }): string {
  const length = Math.max(0, Math.min(text.length, LONGEST_TEXT, budget.left));
  budget.left -= length;
  return length === text.length ? text : `${text.slice(0, length)}…`;
}
