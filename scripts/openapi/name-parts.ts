import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from './json-value.ts';

/** Marks a response that many operations share; it becomes a reference. */
export const RESPONSE_NAME = 'x-response-name';

/**
 * Moves every schema with a title, and every response with a name, to the named ones and leaves references in their
 * places.
 *
 * @returns the document with references, and what they lead to.
 * @throws Error when two different parts have one name.
 */
export function nameParts(document: Json) {
  const schemas = new Map<string, unknown>();
  const responses = new Map<string, unknown>();

  function lift(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(lift);
    if (!isObject(value)) return value;
    const members: Json = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, isData(name) ? member : lift(member)]),
    );
    const { title, [RESPONSE_NAME]: name, ...others } = members;
    if (typeof name === 'string') return refer(responses, 'responses', name, others);
    if (typeof title !== 'string' || !isSchema(others)) return members;
    return refer(schemas, 'schemas', title, others);
  }

  const lifted = lift(document) as Json;
  return { document: lifted, schemas: sorted(schemas), responses: sorted(responses) };
}

function refer(known: Map<string, unknown>, kind: string, name: string, part: Json): Json {
  const first = known.get(name);
  if (first === undefined) known.set(name, part);
  else if (!isDeepStrictEqual(first, part)) throw new Error(`Two different ${kind} are called ${name}`);
  return { $ref: `#/components/${kind}/${name}` };
}

function sorted(parts: ReadonlyMap<string, unknown>): Json {
  return Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Examples may look like schemas. */
function isData(name: string): boolean {
  return name === 'example' || name === 'examples' || name === 'default' || name === 'enum';
}

function isSchema(value: Json): boolean {
  return 'type' in value || 'anyOf' in value || 'enum' in value;
}
