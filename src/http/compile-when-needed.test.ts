import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import Fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { compileWhenNeeded } from './compile-when-needed.ts';

const schema = {
  querystring: { type: 'object', required: ['n'], properties: { n: { type: 'string', maxLength: 2 } } },
  response: { 200: { type: 'object', properties: { n: { type: 'string' } } } },
} as const;

async function served(schemaController: object) {
  const app = Fastify({ schemaController });
  for (const url of ['/asked', '/other']) {
    app.get<{ Querystring: { n: string } }>(url, { schema }, ({ query }) => ({ n: query.n, other: 1 }));
  }
  await app.ready();
  return app;
}

const asked = ['/asked?n=12', '/asked', '/asked?n=123', '/asked?n=1'];

test('answers and refusals are those of compilers that compile at the start', async () => {
  const [early, late] = await Promise.all([served({}), served({ compilersFactory: compileWhenNeeded() })]);
  const answers = await Promise.all(asked.map(async (url) => (await early.inject(url)).body));
  expect(answers).toEqual([
    '{"n":"12"}',
    expect.stringContaining("must have required property 'n'"),
    expect.stringContaining('must NOT have more than 2 characters'),
    '{"n":"1"}',
  ]);
  expect(await Promise.all(asked.map(async (url) => (await late.inject(url)).body))).toEqual(answers);
});

test('nothing is compiled before it is needed, and then once', async () => {
  const compiled = vi.fn();
  const buildSerializer = SerializerSelector();
  const app = await served({
    compilersFactory: compileWhenNeeded({
      buildValidator: AjvCompiler(),
      buildSerializer: (...parts) => {
        const compile = buildSerializer(...parts);
        return (route) => {
          compiled(route.url);
          return compile(route);
        };
      },
    }),
  });
  expect(compiled).not.toHaveBeenCalled();
  for (const url of asked) await app.inject(url);
  expect(compiled.mock.calls).toEqual([['/asked']]);
});
