import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connectTo } from '../../../test/support/http-connection.ts';
import { settleUnreadBodies } from './unread-bodies.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function connectionTo(listener: RequestListener) {
  const server = createServer(settleUnreadBodies(listener)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
const LENGTH = 2_000_000;

test('a request behind the last answer of a connection is not done, since it could not be answered', async () => {
  const asked: (string | undefined)[] = [];
  const connection = await connectionTo(({ url }, response) => {
    asked.push(url);
    response.end('early');
  });
  connection.send(head('/first', LENGTH) + ' '.repeat(LENGTH) + head('/second', 0));
  expect((await connection.answer())?.headers.get('connection')).toBe('close');
  expect(await connection.answer()).toBeNull();
  expect(asked).toEqual(['/first']);
});

test.each([
  ['paused', (request: Parameters<RequestListener>[0]) => void request.once('data', () => request.pause())],
  ['left by a loop', (request: Parameters<RequestListener>[0]) => void readFirst(request)],
  ['destroyed', (request: Parameters<RequestListener>[0]) => void request.destroy()],
])('a body that was %s does not hold the connection', async (how, stopReading) => {
  const connection = await connectionTo((request, response) => {
    if (request.url === '/second') return void response.end('second');
    stopReading(request);
    setImmediate(() => response.end('first'));
  });
  const length = 300_000;
  connection.send(head('/first', length) + ' '.repeat(100_000));
  const first = await connection.answer().catch(() => null);
  connection.send(' '.repeat(200_000) + head('/second', 0));
  const second = await connection.answer().catch(() => null);
  expect([null, 'second']).toContain(second?.body ?? null);
  if (how === 'paused') expect([first?.body, second?.body]).toEqual(['first', 'second']);
});

test('an answer to a body that was read costs no connection', async () => {
  const connection = await connectionTo(async (request, response) => {
    let length = 0;
    for await (const part of request) length += (part as Buffer).length;
    response.end(String(length));
  });
  for (const _ of [1, 2]) {
    connection.send(head('/', LENGTH) + ' '.repeat(LENGTH));
    expect((await connection.answer())?.body).toBe(String(LENGTH));
  }
});

async function readFirst(request: Parameters<RequestListener>[0]): Promise<void> {
  for await (const _ of request) break;
}
