import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { STATUS_OF_CODE } from '../../src/verify/errors.ts';
import { JOB_ERROR_CODES } from '../../src/verify/model/job-failure.ts';
import {
  type Answer,
  type Operation,
  operationsOf,
  readDocument,
  readWholeDocument,
  type Schema,
} from '../support/openapi-document.ts';

/** Answers that nothing here gives: there is no Vyper compiler in the package; metadata as a file. */
const NO_EXAMPLE = [
  'POST /verify/vyper 200',
  'GET /repository/contracts/{match}/{chain}/{address}/{path} 200',
];

/** What readers and generators of clients need of every operation of every area. */
const all = readWholeDocument('all');
const operations = operationsOf(all);
const printed = readDocument('all');
const named = (wanting: (operation: Operation, path: string, method: string) => unknown): string[] =>
  operations
    .filter(([method, path, operation]) => wanting(operation, path, method))
    .map(([method, path]) => `${method} ${path}`);

const validator = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(validator);

/** Named schemas are compiled once. */
const checks = new Map<string, (example: unknown) => unknown>();
validator.addSchema(printed, 'api');
function fits(example: unknown, schema: Schema): boolean {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"api#');
  const check = checks.get(text) ?? validator.compile(JSON.parse(text) as Schema);
  checks.set(text, check);
  return check(example) === true;
}

describe('every operation', () => {
  test('has a name of its own in camel case', () => {
    expect(operations.length).toBeGreaterThan(90);
    expect(named(({ operationId }) => !/^[a-z]+(?:[A-Z0-9][a-z0-9]*)*$/.test(operationId ?? ''))).toEqual([]);
    const ids = operations.map(([, , { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('has a summary, a description and one area', () => {
    expect(named(({ summary = '' }) => summary.length < 5)).toEqual([]);
    expect(named(({ description = '' }) => description.length < 15)).toEqual([]);
    expect(named(({ tags = [] }) => !/^(verify|status|mirror)$/.test(tags.join()))).toEqual([]);
  });

  test('describes every parameter and shows a value that its schema takes', () => {
    const wrong = operations.flatMap(([method, path, { parameters = [] }]) =>
      parameters
        .filter(
          ({ description = '', example, schema }) =>
            description.length < 5 || example === undefined || !validator.validate(schema, example),
        )
        .map(({ name }) => `${method} ${path}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('declares exactly the parameters of its path', () => {
    const inPath = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name).sort();
    const declared = ({ parameters = [] }: Operation) =>
      parameters
        .filter((each) => each.in === 'path')
        .map(({ name }) => name)
        .sort();
    expect(named((operation, path) => declared(operation).join() !== inPath(path).join())).toEqual([]);
  });

  test('has words for every answer, and a body for every refusal', () => {
    const isBad = ([status, { content, description }]: [string, Operation['responses'][string]]) =>
      !/^\d{3}$/.test(status) ||
      (description ?? 'Default Response') === 'Default Response' ||
      (status >= '400' && content?.['application/json'] === undefined);
    expect(named(({ responses }) => Object.entries(responses).some(isBad))).toEqual([]);
  });

  test('may be refused since there are too many requests, a fault, or no room', () => {
    expect(named(({ responses }) => !['429', '500', '503'].every((status) => status in responses))).toEqual(
      [],
    );
  });

  test('gives every integer a format', () => {
    expect(
      named((operation) => integers(operation).some(({ format }) => !/^int(32|64)$/.test(String(format)))),
    ).toEqual([]);
  });
});

describe('examples', () => {
  const media = operationsOf(printed).flatMap(([method, path, { requestBody, responses }]) => [
    ...Object.values(requestBody?.content ?? {}).map((each) => [`${method} ${path}`, each] as const),
    ...Object.entries(responses).flatMap(([status, response]) =>
      Object.entries(whole(response).content ?? {})
        .filter(([type]) => type === 'application/json')
        .map(([, each]) => [`${method} ${path} ${status}`, each] as const),
    ),
  ]);

  test('are there for every answer of success and every refusal that all operations share', () => {
    const missing = media.filter(
      ([name, { example }]) => example === undefined && / (?:200|201|202|429|500|503)$/.test(name),
    );
    expect(missing.map(([name]) => name).filter((name) => !NO_EXAMPLE.includes(name))).toEqual([]);
  });

  test('are what their schemas describe', () => {
    const wrong = media.flatMap(([name, { example, schema }]) =>
      example === undefined || fits(example, schema) ? [] : [`${name} ${validator.errorsText()}`],
    );
    expect(wrong).toEqual([]);
  });
});

describe('the codes of errors', () => {
  const enumOf = (schema: Schema | undefined) => schema?.properties?.['customCode']?.['enum'];

  test('of refused requests are all of the table', () => {
    expect(enumOf(all.components.schemas['VerifyError'])).toEqual(Object.keys(STATUS_OF_CODE));
  });

  test('of jobs are all of the table', () => {
    expect(enumOf(all.components.schemas['JobError'])).toEqual([...JOB_ERROR_CODES]);
  });
});

test('int64 is explained to clients of JavaScript', () => {
  expect(String((all['info'] as { description: string }).description)).toContain('greater than 2^53');
});

/** Leads a reference to the shared response. */
function whole(response: Answer): Answer {
  const { $ref } = response;
  if (typeof $ref !== 'string') return response;
  return printed.components.responses[$ref.slice('#/components/responses/'.length)] ?? {};
}

function integers(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.flatMap(integers);
  if (typeof value !== 'object' || value === null) return [];
  const schema = value as Schema;
  const isInteger =
    schema['type'] === 'integer' || (Array.isArray(schema['type']) && schema['type'].includes('integer'));
  return [
    ...(isInteger ? [schema] : []),
    ...Object.entries(schema).flatMap(([name, member]) => (/^examples?$/.test(name) ? [] : integers(member))),
  ];
}
