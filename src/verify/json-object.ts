/** A JSON object of which nothing but that is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for JSON objects: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
