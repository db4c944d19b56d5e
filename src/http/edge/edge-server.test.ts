import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { answerClientError } from './client-error.ts';
import { createEdgeServer } from './edge-server.ts';
import { settleUnreadBodies } from './unread-bodies.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const GARBAGE = 'this is not a request\r\n\r\n';

/** @returns the status codes of everything that comes back on one connection. */
async function statusesOf(listener: RequestListener, sent: string): Promise<readonly string[]> {
  const server = createEdgeServer(listener, { keepAliveTimeout: 5000, requestTimeout: 5000 });
  server.on('clientError', (error, socket) => answerClientError(error, socket as never));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  socket.write(sent);
  await once(socket, 'close');
  server.close();
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1] ?? '');
}

/** Answers in its order, but not in the turn of the request. */
const later: RequestListener = (_request, response) => {
  setImmediate(() => setImmediate(() => response.end('ok')));
};

test('the refusal of bytes that are not a request comes after the answers that are still due', async () => {
  expect(await statusesOf(later, GET + GET + GARBAGE)).toEqual(['200', '200', '400']);
});

test('without anything due it comes at once', async () => {
  expect(await statusesOf(later, GARBAGE)).toEqual(['400']);
});

test('a request with a broken body is refused in its turn', async () => {
  const reading: RequestListener = (request, response) => {
    request.resume().on('end', () => setImmediate(() => response.end('ok')));
  };
  const broken = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nzz\r\n\r\n';
  expect(await statusesOf(reading, broken)).toEqual(['400']);
  expect(await statusesOf(reading, GET + broken)).toEqual(['200', '400']);
});

test('a request that waits for a go-ahead is a request for everybody who counts them', async () => {
  const counted: string[] = [];
  const listener: RequestListener = (request, response) => {
    counted.push(request.method ?? '');
    response.end('ok');
  };
  const expecting = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi';
  expect(await statusesOf(listener, `${expecting}${GARBAGE}`)).toEqual(['100', '200', '400']);
  expect(counted).toEqual(['POST']);
});

test('answers before the last one of a connection arrive, whatever follows its request (issue 12)', async () => {
  const size = 400_000;
  let wasLastSent = () => {};
  const lastSent = new Promise<void>((resolve) => {
    wasLastSent = resolve;
  });
  const listener = settleUnreadBodies(({ url }, response) => {
    if (url === '/large') return void response.end('x'.repeat(size));
    response.setHeader('connection', 'close').once('close', wasLastSent).end('last');
  });
  const server = createEdgeServer(listener, { keepAliveTimeout: 5000, requestTimeout: 5000 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.write(GET.replace('/', '/large') + GET + GET.repeat(20_000));
  await lastSent;
  // The server has closed by now if it does not read on.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  await once(socket.resume(), 'end');
  server.close();
  expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '200']);
  expect(received.length).toBeGreaterThan(size);
  expect(received.endsWith('last')).toBe(true);
});

test('requests that end with their connection cost no traces, and all other errors have them', async () => {
  const ends: (string | undefined)[] = [];
  const listener: RequestListener = (request) => request.on('error', ({ stack }) => ends.push(stack));
  const server = createEdgeServer(listener, { keepAliveTimeout: 5000, requestTimeout: 5000 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(GET + GET);
  const [{ socket: served }] = await once(server, 'request');
  socket.destroy();
  await once(served, 'close');
  await once(server.close(), 'close');
  expect(ends).toEqual(['Error: aborted', 'Error: aborted']);
  expect(new Error('any').stack).toMatch(/^ +at /m);
});

test('a connection that is not read at the moment is closed as soon as its client has closed', async () => {
  const server = createEdgeServer((_request, response) => response.end('ok'), {
    keepAliveTimeout: 5000,
    requestTimeout: 5000,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const taken = once(server, 'connection');
  socket.write(GET);
  await once(socket, 'data');
  const [served] = await taken;
  served.pause();
  socket.write(GET);
  served.destroySoon();
  const closed = once(served, 'close');
  await once(socket.resume(), 'end');
  await closed;
  // What it was sent then was thrown away, not left unread: the client sees no reset.
  expect([socket.errored, served.errored]).toEqual([null, null]);
  server.close();
}, 4000);
