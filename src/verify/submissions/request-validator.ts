import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { once } from '../../values/once.ts';
import { LargeBody } from '../bodies/large-body.ts';
import { invalidParameter } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import { CHECKED_BY_SERVICE } from '../schemas.ts';

const PART_NAMES: Readonly<Record<string, string>> = {
  params: 'params',
  querystring: 'query',
  body: 'body',
};

/**
 * Compiles request schemas so that a refusal reads as the clients of the reference know it, for example
 * `request/body must have required property 'compilerVersion'`.
 *
 * Bodies are never coerced. Query texts become numbers only where the schema requires an integer.
 *
 * @see contracts/verification-api.md section 2.2
 */
export function createRequestValidatorCompiler(): FastifySchemaCompiler<unknown> {
  const ajv = new Ajv({
    strict: false,
    useDefaults: true,
    verbose: true,
    validateFormats: false,
    // Our own, which `test/openapi` checks: it would hold the first request for 50 ms.
    validateSchema: false,
    // Takes as long as compiling does, for checks that are not slower without it.
    code: { optimize: false },
  });
  return ({ schema, httpPart }) => {
    const part = PART_NAMES[httpPart ?? ''] ?? httpPart ?? '';
    // When the first request comes: a start need not wait for it.
    const validate = once(() => ajv.compile(enforcedSchema(schema) as object));
    if (part === 'query') return (query: unknown) => checkQuery(query, schema, validate());
    return (value: unknown) => check(value, part, validate());
  };
}

/**
 * Checks path and query before the body; the framework has the query last.
 *
 * @throws VerifyRequestError `invalid_parameter`
 * @see contracts/verification-api.md section 2.1
 */
export async function checkPathAndQuery(request: FastifyRequest): Promise<void> {
  for (const part of ['params', 'querystring'] as const) {
    const validate = request.getValidationFunction(part) as ((value: unknown) => Checked) | undefined;
    const { error } = validate?.(part === 'params' ? request.params : request.query) ?? {};
    if (error !== undefined) throw error;
  }
}

interface Checked {
  readonly value?: unknown;
  readonly error?: Error;
}

function check(value: unknown, part: string, validate: ValidateFunction): Checked {
  // The body thread has checked it already.
  if (value instanceof LargeBody) return value.fault === null ? { value } : { error: value.fault };
  if (validate(value)) return { value };
  return { error: invalidParameter(describe(part, validate.errors?.[0])) };
}

function checkQuery(query: unknown, schema: unknown, validate: ValidateFunction): Checked {
  const values = { ...(query as JsonObject) };
  const known = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(known, name)) return { error: invalidParameter(`Unknown query parameter '${name}'`) };
    if (value === '') {
      return { error: invalidParameter(`Empty value found for query parameter '${name}'`) };
    }
    const property = known[name];
    const isInteger = isJsonObject(property) && property['type'] === 'integer';
    if (isInteger && typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) {
      values[name] = Number(value);
    }
  }
  return check(values, 'query', validate);
}

function describe(part: string, error: ErrorObject | undefined): string {
  const where = `request/${part}${error?.instancePath ?? ''}`;
  if (error?.keyword === 'enum') {
    const { allowedValues } = error.params as { readonly allowedValues: readonly unknown[] };
    return `${where} must be equal to one of the allowed values: ${allowedValues.join(', ')}`;
  }
  if (error?.keyword === 'type' && error.schema === 'integer' && typeof error.data !== 'number') {
    return `${where} must be number`;
  }
  return `${where} ${error?.message ?? 'is invalid'}`;
}

/** Leaves only the type of schemas that the service checks itself. */
function enforcedSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(enforcedSchema);
  if (!isJsonObject(schema)) return schema;
  if (schema[CHECKED_BY_SERVICE] === true) return { type: schema['type'] };
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, enforcedSchema(value)]));
}
