/** A part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rebuilds a value from its leaves on: `change` sees every object with its members rebuilt already. */
export function rebuild(value: unknown, change: (object: Json) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => rebuild(each, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rebuild(member, change)])),
  );
}
