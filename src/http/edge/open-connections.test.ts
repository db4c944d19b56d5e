import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createEdgeServer } from './edge-server.ts';
import { followConnections } from './open-connections.ts';
import { RequestByRequest } from './request-by-request.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers.splice(0)) server.close();
});

/** A server that holds its answers back until the test ends them. */
async function aServer({ lastRequestMs }: { readonly lastRequestMs?: number } = {}) {
  const held: ServerResponse[] = [];
  const times = { keepAliveTimeout: 5000, requestTimeout: 5000 };
  const server = createEdgeServer((_request, response) => void held.push(response), times);
  servers.push(server);
  const connections = followConnections(server, lastRequestMs === undefined ? {} : { lastRequestMs });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  /** Sends that many requests at once and waits until the server has them. */
  const open = async (requests: number) => {
    const socket = connect(port, '127.0.0.1');
    const accepted = once(server, 'connection');
    const before = held.length;
    socket.write(REQUEST.repeat(requests));
    await accepted;
    await arrived(held, before + requests);
    return { socket, text: collect(socket) };
  };
  return { held, connections, open, server };
}

async function arrived(held: readonly ServerResponse[], count: number): Promise<void> {
  while (held.length < count) await new Promise(setImmediate);
}

/** All that the connection carries until its end. */
async function collect(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  await once(socket, 'close');
  return text;
}

test('ends connections on which nothing runs: unused ones and kept ones', async () => {
  const { connections, held, open } = await aServer();
  const [unused, kept] = [await open(0), await open(1)];
  held[0]?.end('done');
  await once(kept.socket, 'data');
  connections.endWhenIdle();
  expect(await unused.text).toBe('');
  expect(await kept.text).toContain('done');
});

test('ends a busy connection after the last of its answers', async () => {
  const { connections, held, open } = await aServer();
  const busy = await open(2);
  connections.endWhenIdle();
  held[0]?.end('first');
  held[1]?.end('second');
  const text = await busy.text;
  expect(text).toContain('first');
  expect(text).toContain('second');
});

test.each([
  ['a connection on which nothing was ever sent', 0],
  ['a kept connection', 1],
])('answers a request that is on its way on %s', async (_what, requests) => {
  const { connections, held, open } = await aServer();
  const idle = await open(requests);
  for (const response of held.splice(0)) response.end('before');
  if (requests > 0) await once(idle.socket, 'data');
  connections.endWhenIdle();
  idle.socket.write(REQUEST);
  await arrived(held, 1);
  held[0]?.end('late');
  expect(await idle.text).toContain('late');
});

test.each([
  ['read later', (resume: () => void) => void setTimeout(resume, 20)],
  // What the end of idle connections waits for comes after this then.
  [
    'begun to be read just before',
    (resume: () => void) => void setTimeout(() => globalThis.setImmediate(resume)),
  ],
])('a connection that is not read yet, and is %s, is answered', async (_when, soon) => {
  const { connections, held, open, server } = await aServer({ lastRequestMs: 0 });
  const taken = once(server, 'connection') as Promise<[Socket]>;
  const idle = await open(0);
  const [socket] = await taken;
  socket.pause();
  idle.socket.write(REQUEST);
  await pause(20);
  soon(() => socket.resume());
  connections.endWhenIdle();
  await arrived(held, 1);
  held[0]?.end('late');
  expect(await idle.text).toContain('late');
});

test('a request that comes too late finds its connection closed, not reset', async () => {
  const { connections, held, open } = await aServer({ lastRequestMs: 0 });
  const idle = await open(0);
  const ended = once(idle.socket, 'end');
  connections.endWhenIdle();
  await ended;
  expect(await idle.text).toBe('');
  expect(held).toEqual([]);
});

test('answers a request that arrives on a busy connection in the meantime', async () => {
  const { connections, held, open } = await aServer();
  const busy = await open(1);
  connections.endWhenIdle();
  busy.socket.write(REQUEST);
  await arrived(held, 2);
  held[0]?.end('first');
  held[1]?.end('late');
  expect(await busy.text).toContain('late');
});

test('ends a connection after the answers to all that had arrived on it, also to what is not parsed yet', async () => {
  const byRequest = new RequestByRequest((_socket, go) => void setImmediate(go));
  const { connections, held, open, server } = await aServer({ lastRequestMs: 5 });
  server.on('connection', (socket) => byRequest.read(socket));
  const { socket, text } = await open(1);
  socket.write(REQUEST.repeat(2));
  await pause(20);
  connections.endWhenIdle();
  for (let index = 0; index < 3; index++) {
    await arrived(held, index + 1);
    held[index]?.end(`answer ${index}`);
  }
  expect((await text).match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2']);
});
