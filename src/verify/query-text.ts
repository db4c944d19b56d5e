import { isJsonObject } from './json-object.ts';

/** A parameter of the query as one text: absent is empty, repeated ones are joined by commas. */
export function queryText(query: unknown, name: string): string {
  const value = isJsonObject(query) ? query[name] : undefined;
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : '';
}
