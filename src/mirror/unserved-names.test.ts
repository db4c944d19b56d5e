import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/support/test-server.ts';

/**
 * Names of the public networks' API that are not served: none of them is an id, whatever it is asked for.
 *
 * @see contracts/mirror-roadmap.md
 */
const UNSERVED = ['transactions/0.0.1001-1700000000-000000000/stateproof'];

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
