import { isDeepStrictEqual } from 'node:util';
import type { OperationDocs } from '../../src/http/operation-docs.ts';
import type { AreaDocs } from './area-docs.ts';
import { isObject, type Json, rebuild } from './json-value.ts';

/** What the areas tell, by name. */
export type DocsOfAreas = Readonly<Record<string, AreaDocs | undefined>>;

/**
 * Completes the document that the routes give: the areas' words and examples, errors, and schemas by name.
 *
 * An operation that no area describes stays as its route has it; `test/openapi/rules.test.ts` names it.
 */
export function describeDocument(raw: Json, areas: DocsOfAreas, names: ReadonlySet<string>): Json {
  const paths: Record<string, Json> = {};
  for (const [rawPath, item] of Object.entries(raw['paths'] as Json)) {
    const path = rawPath.replace('{*}', '{path}');
    const operations = Object.entries(item as Json).flatMap(([method, operation]) => {
      const area = areaOf(operation);
      if (area === null || !names.has(area) || !isObject(operation)) return [];
      const known = areas[area];
      const docs = known?.operations[`${method.toUpperCase()} ${path}`];
      if (known === undefined || docs === undefined) return [[method, operation] as const];
      return [[method, describeOperation(operation, path, known, docs)] as const];
    });
    if (operations.length > 0) paths[path] = Object.fromEntries(operations);
  }
  const { document, responses, schemas } = nameParts(paths);
  const usesToken = JSON.stringify(document).includes('"statusToken"');
  const { securitySchemes } = (raw['components'] ?? {}) as Json;
  return {
    openapi: raw['openapi'],
    info: raw['info'],
    servers: raw['servers'],
    security: [],
    tags: [...names].map((name) => ({ name, description: areas[name]?.about ?? name })),
    paths: document,
    components: { schemas, responses, ...(usesToken ? { securitySchemes } : {}) },
  };
}

function areaOf(operation: unknown): string | null {
  const tags = isObject(operation) ? operation['tags'] : null;
  return Array.isArray(tags) ? ((tags[0] as string | undefined) ?? null) : null;
}

const JSON_TYPE = 'application/json';

/** Completes an operation, as the routes give it, with what its area tells about it. */
function describeOperation(raw: Json, path: string, area: AreaDocs, docs: OperationDocs): Json {
  const examples = area.examples[docs.id];
  const body = requestBody(raw, docs, examples?.request);
  return {
    operationId: docs.id,
    summary: raw['summary'],
    description: docs.about,
    tags: raw['tags'],
    ...(raw['security'] === undefined ? {} : { security: raw['security'] }),
    ...withParameters(raw, area, docs),
    ...(body === null ? {} : { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        Object.entries((raw['responses'] ?? {}) as Json)
          .filter(([status]) => /^[23]\d\d$/.test(status))
          .map(([status, response]) => [
            status,
            successResponse(status, response as Json, docs, examples?.answers[status]),
          ]),
      ),
      ...errorResponses(path, area, docs),
    },
  };
}

function withParameters(raw: Json, area: AreaDocs, { adds = {}, parameters = {} }: OperationDocs): Json {
  const given = ((raw['parameters'] ?? []) as readonly Json[]).map((each) => {
    const { description, schema, ...place } = each;
    const name = String(each['name']) === '*' ? 'path' : String(each['name']);
    const words = parameters[name] ?? area.parameters[name];
    const plain = plainSchema(schema, 'int32') as Json;
    const items = isObject(plain['items']) ? plain['items'] : null;
    const example = items !== null && words !== undefined ? [words.example] : words?.example;
    return {
      ...place,
      name,
      description:
        parameters[name]?.description ?? description ?? items?.['description'] ?? words?.description,
      schema: plain,
      ...(example === undefined ? {} : { example }),
    };
  });
  const added = Object.entries(adds).map(([name, { schema, required = false, description, example }]) => ({
    name,
    in: 'query',
    required,
    description,
    schema: plainSchema(schema, 'int32'),
    example,
  }));
  const all = [...given, ...added];
  return all.length === 0 ? {} : { parameters: all };
}

function requestBody(raw: Json, { body }: OperationDocs, example: unknown): Json | null {
  const given = raw['requestBody'];
  const content =
    body === undefined
      ? isObject(given)
        ? (given['content'] as Json)
        : null
      : Object.fromEntries(Object.entries(body).map(([type, schema]) => [type, { schema }]));
  if (content === null) return null;
  const described = Object.entries(content).map(([type, media]) => [
    type,
    {
      schema: plainSchema((media as Json)['schema'], 'int64'),
      ...(example === undefined ? {} : { example }),
    },
  ]);
  return { required: true, content: Object.fromEntries(described) };
}

function successResponse(status: string, response: Json, docs: OperationDocs, example: unknown): Json {
  const words: Readonly<Record<string, string>> = {
    201: 'Created.',
    202: 'Accepted: stored and queued.',
    204: 'Done; no body.',
    206: 'In part: the ledger lacks the rest, or older entries lie beyond what one request searches and `links.next` continues.',
    302: 'Redirects to a page.',
    304: 'Unchanged since the response whose `ETag` was sent in `If-None-Match`.',
  };
  const given = response['description'];
  const description = words[status] ?? (given === 'Default Response' ? 'The response.' : given);
  const { headers } = response;
  const base = { description, ...(headers === undefined ? {} : { headers }) };
  const [[type, media] = [JSON_TYPE, null]] = Object.entries((response['content'] ?? {}) as Json);
  const schema =
    docs.answer !== undefined && status.startsWith('2')
      ? docs.answer
      : isObject(media)
        ? media['schema']
        : null;
  if (schema === null || (isObject(schema) && schema['type'] === 'null')) return base;
  // Some answers are text in one form and JSON in another.
  const isFitting =
    example !== undefined && (docs.answerType === 'text/plain' ? typeof example === 'string' : true);
  const form = { schema: plainSchema(schema, 'int64'), ...(isFitting ? { example } : {}) };
  const others = status.startsWith('2') ? Object.entries(docs.otherAnswers ?? {}) : [];
  const otherForms = others.map(([name, other]) => [name, { schema: plainSchema(other, 'int64') }]);
  return { ...base, content: { [docs.answerType ?? type]: form, ...Object.fromEntries(otherForms) } };
}

function errorResponses(path: string, area: AreaDocs, docs: OperationDocs): Json {
  const { errors = [], notFound } = docs;
  const own404 = notFound === undefined ? [] : [404];
  const statuses = [...new Set([...area.errors, ...errors, ...own404])].sort((a, b) => a - b);
  const schema = plainSchema(area.errorSchema(path), 'int64') as Json;
  const common = area.errorExamples[String(schema['title'])] ?? {};
  const own = area.examples[docs.id]?.answers ?? {};
  return Object.fromEntries(
    statuses.map((status) => {
      const example = own[status] ?? common[status];
      const body = status === 404 && notFound !== undefined ? plainSchema(notFound, 'int64') : schema;
      const response = {
        description: area.errorText(status),
        content: { [JSON_TYPE]: { schema: body, ...(example === undefined ? {} : { example }) } },
      };
      const isCommon = own[status] === undefined && body === schema;
      return [status, isCommon ? { [RESPONSE_NAME]: `${schema['title']}${status}`, ...response } : response];
    }),
  );
}

/** Members that TypeBox and Fastify leave in schemas and that mean nothing to others. */
const OWN_MEMBERS = /^(x-checked-by-service|headers)$/;

/**
 * Writes a schema as readers and generators like it: `type: [string, null]` instead of a choice, and a format for
 * every integer.
 *
 * @param integers Format of integers that have none.
 */
function plainSchema(schema: unknown, integers: 'int32' | 'int64'): unknown {
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

/** Marks a response that many operations share; it becomes a reference. */
const RESPONSE_NAME = 'x-response-name';

/**
 * Moves every schema with a title, and every response with a name, to the named ones and leaves references in their
 * places.
 *
 * @returns the document with references, and what they lead to.
 * @throws Error when two different parts have one name.
 */
function nameParts(document: Json) {
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
