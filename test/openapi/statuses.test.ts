import { gzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStatusToken } from '../../src/status/manage/tokens.ts';
import { operationsOf, readWholeDocument } from '../support/openapi-document.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

/** Whatever a client sends as body, every operation answers with a status that its document names. */
const TOKEN = createStatusToken('statuses', 'write', (count) => new Uint8Array(count).fill(3));
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const BODIES: readonly (readonly [string, Readonly<Record<string, string>>, string | Buffer | undefined])[] =
  [
    ['none', {}, undefined],
    ['none that is called JSON', JSON_TYPE, ''],
    ['no JSON', JSON_TYPE, '{'],
    ['a list', JSON_TYPE, '[]'],
    ['an empty object', JSON_TYPE, '{}'],
    ['more than 64 KiB', JSON_TYPE, `{"a":"${'x'.repeat(70_000)}"}`],
    ['announced as 100 MB', { ...JSON_TYPE, 'content-length': '100000000' }, '{}'],
    ['a form', FORM, 'a=b'],
    ['a form that contradicts itself', FORM, 'a=b&a[b]=c'],
    ['of an unknown type', { 'content-type': 'application/x-unknown' }, 'x'],
    ['of an unreadable type', { 'content-type': '\u00e9' }, 'x'],
    ['without a type', {}, Buffer.from('x')],
    ['packed', { ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync('{}')],
    ['not packed as it says', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}'],
    ['packed in an unknown way', { ...JSON_TYPE, 'content-encoding': 'br' }, '{}'],
  ];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ stubChain: '31337', env: { STATUS_TOKENS: TOKEN.line } });
});
afterAll(() => server.close());

describe.each([
  ['with a token', { authorization: `OAuth ${TOKEN.text}` }],
  ['without a token', {}],
])('%s', (_, authorization) => {
  test.each(BODIES)('a body is %s', async (_name, headers, payload) => {
    const undocumented: string[] = [];
    const operations = operationsOf(readWholeDocument('all'));
    for (const [method, path, { parameters = [], responses }] of operations) {
      const examples = new Map(parameters.map(({ name, example }) => [name, String(example)]));
      const { statusCode } = await server.app.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url: path.replace(/\{(\w+)\}/g, (_match, name: string) =>
          encodeURIComponent(examples.get(name) ?? ''),
        ),
        headers: { ...authorization, ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
      if (!(statusCode in responses)) undocumented.push(`${method} ${path}: ${statusCode}`);
    }
    expect(operations.length).toBeGreaterThan(90);
    expect(undocumented).toEqual([]);
  });
});
