import { isObject, type Json, rebuild } from './json-value.ts';

/** Members that TypeBox and Fastify leave in schemas and that mean nothing to others. */
const OWN_MEMBERS = /^(x-checked-by-service|headers)$/;

/**
 * Writes a schema as readers and generators like it: `type: [string, null]` instead of a choice, and a format for
 * every integer.
 *
 * @param integers Format of integers that have none.
 */
export function plainSchema(schema: unknown, integers: 'int32' | 'int64'): unknown {
  return rebuild(JSON.parse(JSON.stringify(schema ?? {})), (object) => {
    const members = Object.fromEntries(Object.entries(object).filter(([name]) => !OWN_MEMBERS.test(name)));
    const merged = mergeNull(plainRecord(members));
    return merged['type'] === 'integer' || isNullableInteger(merged)
      ? { ...merged, format: merged['format'] ?? integers }
      : merged;
  });
}

function isNullableInteger({ type }: Json): boolean {
  return Array.isArray(type) && type.includes('integer');
}

/** TypeBox has keys of any text as a pattern that fits all. */
function plainRecord(schema: Json): Json {
  const { patternProperties, ...others } = schema;
  if (!isObject(patternProperties) || !('^(.*)$' in patternProperties)) return schema;
  return { ...others, additionalProperties: patternProperties['^(.*)$'] };
}

/** A choice between one plain type and null, as one type list. */
function mergeNull(schema: Json): Json {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const kinds = anyOf as readonly unknown[];
  if (kinds.length > 1 && kinds.every((each) => isObject(each) && 'const' in each)) {
    const values = kinds.map((each) => (each as Json)['const']);
    return { type: typeof values[0], enum: values, ...others };
  }
  const [one, none] = kinds;
  if (kinds.length !== 2 || !isObject(one) || !isObject(none) || none['type'] !== 'null') return schema;
  if (typeof one['type'] !== 'string' || one['type'] === 'object') return schema;
  const values = Array.isArray(one['enum']) ? { enum: [...one['enum'], null] } : {};
  return { ...one, ...others, type: [one['type'], 'null'], ...values };
}
