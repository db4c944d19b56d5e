import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { rememberAnswer } from './newest-answer.ts';
import { RequestByRequest } from './request-by-request.ts';

/** Answers each request with what it was, and notes how many of its connection were open beside it. */
const state = { turns: 0, open: 0, mostOpen: 0 };
const byRequest = new RequestByRequest((_socket, go) => {
  state.turns += 1;
  globalThis.setImmediate(go);
});
const server = createServer({ requireHostHeader: false }, async (request: IncomingMessage, response) => {
  rememberAnswer(request.socket, response);
  state.open += 1;
  state.mostOpen = Math.max(state.mostOpen, state.open);
  response.once('close', () => (state.open -= 1));
  const body = await buffer(request);
  await setImmediate();
  response.end(`<${request.method} ${request.url} ${body.toString('latin1')}>`);
}).on('connection', (socket) => {
  byRequest.read(socket);
  socket.once('close', () => byRequest.forget(socket));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

function connected(): Socket {
  const { port } = server.address() as AddressInfo;
  return connect({ port, host: '127.0.0.1' }).setNoDelay(true).setEncoding('latin1');
}

/** Sends bytes in pieces, one in a turn of the event loop. @returns what so many answers name */
async function answersTo(count: number, pieces: readonly (Buffer | string)[]): Promise<readonly string[]> {
  Object.assign(state, { turns: 0, open: 0, mostOpen: 0 });
  const socket = connected();
  for (const piece of pieces) {
    socket.write(piece);
    await setImmediate();
  }
  return answersOf(socket, count);
}

async function answersOf(socket: Socket, count: number): Promise<readonly string[]> {
  let text = '';
  const named = () => [...text.matchAll(/<([^>]*)>/g)].map(([, answer = '']) => answer);
  for await (const piece of socket) {
    text += String(piece).replaceAll('\0', '');
    if (named().length >= count) break;
  }
  return named();
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const chunked = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n${
    body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`
  }0\r\n\r\n`;

test('of requests that come at once, one of a connection is there for others, and all are answered in their order', async () => {
  const paths = Array.from({ length: 300 }, (_, index) => `/${index}`);
  expect(await answersTo(paths.length, [paths.map(get).join('')])).toEqual(
    paths.map((path) => `GET ${path} `),
  );
  expect(state).toMatchObject({ mostOpen: 1, turns: 299 });
});

test.each([
  ['lengths', (path: string) => post(path, 'x')],
  ['chunks', (path: string) => chunked(path, 'x')],
])('a body of one byte each brings no more than a few at once: %s', async (_name, request) => {
  const paths = Array.from({ length: 300 }, (_, index) => `/${index}`);
  expect(await answersTo(300, [paths.map(request).join('')])).toEqual(paths.map((path) => `POST ${path} x`));
  expect(state.mostOpen).toBeLessThan(16);
});

test('requests that come one after the other wait for no turn', async () => {
  Object.assign(state, { turns: 0 });
  const socket = connected();
  for (const path of ['/a', '/b', '/c']) {
    socket.write(get(path));
    const [answer] = (await once(socket, 'data')) as [string];
    expect(answer).toContain(path);
  }
  expect(state.turns).toBe(0);
  socket.destroy();
});

const body = fc
  .array(fc.constantFrom('\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'text', '0', 'x'.repeat(5000)), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

test('bodies come whole, whatever is in them and however they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('get', 'post', 'chunked'), body), { minLength: 1, maxLength: 8 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
      async (requests, cuts) => {
        const bytes = Buffer.from(
          requests
            .map(([kind, sent], index) =>
              kind === 'get' ? get(`/${index}`) : (kind === 'post' ? post : chunked)(`/${index}`, sent),
            )
            .join(''),
        );
        const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const sent = pieces.filter(({ length }) => length > 0);
        expect(await answersTo(requests.length, sent)).toEqual(
          requests.map(([kind, body], index) =>
            kind === 'get' ? `GET /${index} ` : `POST /${index} ${body}`,
          ),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('beyond what is held of all connections, requests are parsed as they come, and answered', async () => {
  const full = new RequestByRequest((_socket, go) => void globalThis.setImmediate(go), 0);
  const other = createServer({ requireHostHeader: false }, (request, response) => {
    rememberAnswer(request.socket, response);
    globalThis.setImmediate(() => response.end(`<${request.url}>`));
  }).on('connection', (socket) => full.read(socket));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const socket = connect({ port: (other.address() as AddressInfo).port, host: '127.0.0.1' });
  socket.write(get('/a') + get('/b') + get('/c'));
  expect(await answersOf(socket, 3)).toEqual(['/a', '/b', '/c']);
  other.close();
});

/** What one connection counts at least, bytes. */
const PLACE = 65_536;

test('the client that holds most gives way to another one, and gets no more', async () => {
  // The test says when turns come.
  const turns: (() => void)[] = [];
  const narrow = new RequestByRequest((_socket, go) => void turns.push(go), 10 * PLACE);
  const open = new Set<Socket>();
  const other = createServer({ requireHostHeader: false }, (request, response) => {
    rememberAnswer(request.socket, response);
    globalThis.setImmediate(() => response.end(`<${request.url}>`));
  }).on('connection', (socket) => {
    open.add(socket);
    narrow.read(socket);
    socket.once('close', () => {
      open.delete(socket);
      narrow.forget(socket);
    });
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    other.closeAllConnections();
    other.close();
  });
  const { port } = other.address() as AddressInfo;
  const from = (localAddress: string): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {}).write(get('/a') + get('/b'));
    return socket;
  };
  const counted = (address: string) => [...open].filter((each) => each.remoteAddress === address).length;

  // Each holds a little more than a place.
  for (let index = 0; index < 12; index++) from('127.0.0.2').resume();
  await expect.poll(() => turns.length).toBe(9);
  await expect.poll(() => counted('127.0.0.2')).toBe(9);
  const innocent = from('127.0.0.3');
  await expect.poll(() => turns.length).toBe(10);
  await expect.poll(() => counted('127.0.0.2')).toBe(8);
  for (const go of turns.splice(0)) go();
  expect(await answersOf(innocent, 2)).toEqual(['/a', '/b']);
});

/** Larger than what a connection takes before its client reads. */
const LARGE = '\0'.repeat(20_000_000);

test.each([
  ['held', undefined],
  ['not held, since there is no room for it', 0],
])(
  'what a client sends while it takes no answer is %s, and ends nothing but its connection',
  async (_name, room) => {
    const reading = new RequestByRequest((_socket, go) => void globalThis.setImmediate(go), room);
    const other = createServer({ requireHostHeader: false }, (request, response) => {
      rememberAnswer(request.socket, response);
      const answer = () => response.end(`<${request.url}>`);
      // The large one is answered before its body has come.
      if (request.url === '/large') response.end(`</large>${LARGE}`);
      else request.once('end', answer);
      request.resume();
    }).on('connection', (socket) => reading.read(socket));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      other.closeAllConnections();
      other.close();
    });
    const socket = connect((other.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
    socket.pause().on('error', () => {});
    socket.write('POST /large HTTP/1.1\r\ncontent-length: 10\r\n\r\n');
    await pause(50);
    // The end of a body, a head, and the end of a head in its body: in several pieces.
    socket.write(
      `${'x'.repeat(10)}${post('/next', `${'y'.repeat(4500)}\r\n\r\n${'y'.repeat(500)}`)}${get('/last')}`,
    );
    await pause(50);
    const answers = await answersOf(socket, 3);
    expect(answers).toEqual(room === 0 ? ['/large'] : ['/large', '/next', '/last']);
  },
);
