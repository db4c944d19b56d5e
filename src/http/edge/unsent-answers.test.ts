import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { createEdgeServer } from './edge-server.ts';
import { UnsentAnswers, watchSources } from './unsent-answers.ts';

const MIB = 1_048_576;
/** More than the system takes of an answer that nobody reads. */
const ANSWER = Buffer.alloc(16 * MIB, 'x');
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

let server: Server | null = null;
let port = 0;
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server?.close();
});

async function serve(unsent: UnsentAnswers, listener: RequestListener) {
  server = createEdgeServer(listener, { keepAliveTimeout: 5000, requestTimeout: 5000 }, { unsent });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
}

/** A client that does not read before it is told to. */
async function ask(requests = GET): Promise<Socket> {
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => {});
  clients.push(client);
  await once(client, 'connect');
  client.write(requests);
  return client;
}

const isOpen = (client: Socket): boolean => !client.readableEnded && !client.destroyed;

describe('UnsentAnswers', () => {
  test('ends the client that reads slowest when there is no more room, and counts it', async () => {
    let now = 0;
    const unsent = new UnsentAnswers(40 * MIB, () => now);
    await serve(unsent, (_, response) => response.end(ANSWER));
    const slowest = await ask();
    await expect.poll(() => unsent.bytes).toBeGreaterThan(8 * MIB);
    const first = unsent.bytes;
    const reader = await ask();
    await expect.poll(() => unsent.bytes).toBeGreaterThan(first * 1.5);
    reader.once('data', () => reader.pause());
    await once(reader.resume(), 'data');
    now = 60_000;
    expect(unsent.ended).toBe(0);
    await ask();
    await expect.poll(() => unsent.ended).toBe(1);
    await expect.poll(() => isOpen(slowest.resume())).toBe(false);
    expect(isOpen(reader)).toBe(true);
    expect(unsent.bytes).toBeLessThanOrEqual(40 * MIB);
  });

  test('forgets what was sent and what its client left', async () => {
    const unsent = new UnsentAnswers(100 * MIB);
    await serve(unsent, (_, response) => response.end(ANSWER));
    const [reader, leaver] = [await ask(), await ask(GET.repeat(3))];
    await expect.poll(() => unsent.bytes).toBeGreaterThan(3 * ANSWER.length);
    reader.resume();
    leaver.destroy();
    await expect.poll(() => unsent.bytes).toBe(0);
    expect(unsent.ended).toBe(0);
  });

  test('an answer that was sent in pieces lets go of its listeners, though its connection is kept', async () => {
    const answers: ServerResponse[] = [];
    const unsent = new UnsentAnswers();
    const times = { keepAliveTimeout: 5000, requestTimeout: 5000 };
    const app = Fastify({
      serverFactory: (listener) => createEdgeServer(listener as RequestListener, times, { unsent }),
    });
    watchSources(app, unsent);
    app.get('/', async (_, reply) => {
      answers.push(reply.raw.on('drain', () => {}));
      return reply.send(Readable.from(['piece', 'by', 'piece']));
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.server.address() as AddressInfo);
    const client = (await ask()).resume();
    await expect.poll(() => answers[0]?.eventNames()).toEqual(['error']);
    answers[0]?.write('late');
    client.write(GET);
    await expect.poll(() => answers.length).toBe(2);
    expect(isOpen(client)).toBe(true);
    client.destroy();
    await app.close();
  });

  test('counts what an answer is made of while it is sent', async () => {
    const unsent = new UnsentAnswers();
    await serve(unsent, (_, response) => {
      unsent.watch(response, MIB);
      response.write('begin');
    });
    const client = await ask();
    await expect.poll(() => unsent.bytes).toBeGreaterThanOrEqual(MIB);
    client.destroy();
    await expect.poll(() => unsent.bytes).toBe(0);
  });
});
