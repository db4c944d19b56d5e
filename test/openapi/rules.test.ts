import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { STATUS_OF_CODE } from '../../src/verify/errors.ts';
import { JOB_ERROR_CODES } from '../../src/verify/model/job-failure.ts';
import { type Operation, operationsOf, readWholeDocument, type Schema } from '../support/openapi-document.ts';

/** What readers and generators of clients need of every operation of every area. */
const all = readWholeDocument('all');
const operations = operationsOf(all);
const named = (wanting: (operation: Operation, path: string, method: string) => unknown): string[] =>
  operations
    .filter(([method, path, operation]) => wanting(operation, path, method))
    .map(([method, path]) => `${method} ${path}`);

const validator = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(validator);

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
