import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { EdgeRefusal } from '../http/edge/edge-refusal.ts';
import { StorageBusyError } from '../values/storage-errors.ts';
import { createVerifyErrorMapper } from './error-mapper.ts';
import { VerifyRequestError } from './errors.ts';

const mapper = createVerifyErrorMapper(() => 'id');

test.each([
  ['the edge', new EdgeRefusal(503, 'full', 3)],
  ['a limit of clients', new EdgeRefusal(429, 'too many', 1)],
  ['a full queue', new VerifyRequestError('server_busy', 'full', 5)],
  ['a busy database', new StorageBusyError('it is busy')],
])('a refusal by %s says when to try again, also where a page is made of it', async (_, error) => {
  const app = Fastify();
  app.get('/', () => {
    throw error;
  });
  let headers: Readonly<Record<string, string>> = {};
  app.setErrorHandler((thrown, request, reply) => {
    headers = mapper.fromError(thrown, request).headers ?? {};
    return reply.send('');
  });
  await app.inject('/');
  await app.close();
  expect(headers['Retry-After']).toBe(String(error.retryAfterSeconds));
});
