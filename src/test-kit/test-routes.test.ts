import fastify from 'fastify';
import { expect, test } from 'vitest';
import { type TestControl, testRoutes } from './generation.ts';

async function reset(origin: string | null) {
  let resets = 0;
  const control: TestControl = {
    isTimeStopped: false,
    now: () => 0,
    load: async () => ({ transactions: 0 }),
    reset: async () => {
      resets += 1;
    },
    advance: async () => {},
    moveTo: async () => {},
  };
  const app = fastify();
  await app.register(testRoutes(control));
  const headers = { host: 'evil.example', ...(origin === null ? {} : { origin }) };
  const { statusCode } = await app.inject({ method: 'POST', url: '/_test/reset', headers });
  return { statusCode, resets };
}

test.each([null, 'http://localhost:5173', 'http://127.0.0.1', 'https://app.localhost', 'http://[::1]:3000'])(
  'a program, or a page of this machine, resets: %s',
  async (origin) => {
    expect(await reset(origin)).toEqual({ statusCode: 204, resets: 1 });
  },
);

test.each([
  'http://evil.example',
  'null',
  '',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
])('a page of another host does not: %j', async (origin) => {
  expect(await reset(origin)).toEqual({ statusCode: 403, resets: 0 });
});
