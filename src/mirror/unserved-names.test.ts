import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/support/test-server.ts';

/**
 * Names of the public networks' API that are not served: none of them is an id, whatever it is asked for.
 *
 * @see contracts/mirror-roadmap.md
 */
const UNSERVED = ['transactions/0.0.1001-1700000000-000000000/stateproof', 'clpr/channels'];

const { paths } = JSON.parse(readFileSync(new URL('../../openapi/mirror.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, object>>;
};
const PARAMETER = /\{\w+\}/g;
/** Each served path once for each of its parameters, which is left empty. */
const EMPTIED = Object.keys(paths).flatMap((path) =>
  [...path.matchAll(PARAMETER)].map(
    ({ index, 0: name }) => path.slice(0, index) + path.slice(index + name.length),
  ),
);
/** One slash behind the path of a list is the list. */
const isList = (emptied: string) => paths[emptied.replace(/\/$/, '')] !== undefined;
const filled = (path: string) => path.replace(PARAMETER, '1');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({});
});
afterAll(() => server.close());

const bodyOf = async (answer: Response): Promise<unknown> => [answer.status, await answer.json()];
const NOT_FOUND = [404, { _status: { messages: [{ message: 'Not found' }] } }];

test.each(UNSERVED)('GET %s is not found', async (name) => {
  expect(await bodyOf(await fetch(`${server.url}/api/v1/${name}`))).toEqual(NOT_FOUND);
});

describe('a path parameter that is empty', () => {
  /** @see contracts/client-needs.md section 4.2, row 19 */
  test.each(EMPTIED.map((path) => (isList(path) ? `${filled(path)}/` : filled(path))))(
    'names nothing in %s',
    async (path) => {
      expect(await bodyOf(await fetch(server.url + path))).toEqual(NOT_FOUND);
    },
  );

  /** @see contracts/client-needs.md section 2, rule 5 */
  test.each(EMPTIED.filter(isList).map(filled))('is the slash behind a list in %s', async (path) => {
    const list = await bodyOf(await fetch(server.url + path.slice(0, -1)));
    expect(list).toMatchObject([200, { links: {} }]);
    expect(await bodyOf(await fetch(server.url + path))).toEqual(list);
  });

  test('is looked for in every path, the message at a time among them', () => {
    expect(EMPTIED.length).toBeGreaterThanOrEqual(35);
    expect(EMPTIED.filter(isList)).toHaveLength(10);
    expect(EMPTIED.filter((path) => !isList(path))).toContain('/api/v1/topics/messages/');
  });
});

test.each(['contracts/results', 'accounts'])('POST %s is not found', async (name) => {
  const answer = await fetch(`${server.url}/api/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"data":"0x","to":"0x0000000000000000000000000000000000000167"}',
  });
  expect(await bodyOf(answer)).toEqual(NOT_FOUND);
});

test.each([
  ['POST', 'contracts/call'],
  ['GET', 'contracts/results/0.0.1001-1700000000-000000000/opcodes'],
])('%s %s says what it would need', async (method, name) => {
  const answer = await fetch(`${server.url}/api/v1/${name}`, {
    method,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{"data":"0x"}' } : {}),
  });
  expect(await bodyOf(answer)).toEqual([
    501,
    { _status: { messages: [{ message: 'Not implemented', detail: expect.stringContaining('EVM') }] } },
  ]);
});
