import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { connectTo } from '../../../test/support/http-connection.ts';
import { clientAddresses } from '../client-address.ts';
import { admitRequests } from './admission.ts';
import { ConnectionBudget } from './connection-budget.ts';
import { HeldBody } from './held-body.ts';
import { Turns } from './turns.ts';
import { settleUnreadBodies } from './unread-bodies.ts';
import { WaitingRoom } from './waiting-room.ts';

let server: Server | null = null;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A server that answers with the body; nothing is begun before `begin`. */
async function aBusyServer() {
  let turn: (() => void) | null = null;
  const turns = new Turns({
    now: () => 0,
    afterReading: (call) => {
      turn = call;
    },
    afterPromises: (call) => void setImmediate().then(call),
  });
  turns.wait(() => true);
  const arrived: IncomingMessage[] = [];
  const admitted = admitRequests({
    answerAtOnce: () => null,
    route: (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => response.end(Buffer.concat(parts)));
    },
    turns,
    arrivals: { hasRead: () => {} },
    lateness: { ms: 0 },
    limiter: null,
    clientAddress: clientAddresses(false),
    budget: new ConnectionBudget(null),
    areas: { isManaged: () => false },
    rooms: { waiting: new WaitingRoom(1e8), behind: new WaitingRoom(1e8) },
  });
  server = createServer(
    settleUnreadBodies((request, response) => {
      arrived.push(request);
      admitted(request, response);
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    begin: () => turn?.(),
    connect: () => connectTo(url),
    arrived: async (count: number) => {
      while (arrived.length < count) await setImmediate();
      // What was read with the head, and then is joined.
      for (let pass = 0; pass < 10; pass += 1) await setImmediate();
      return arrived;
    },
  };
}

const CHUNKED = 'POST /work HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunksOf = (text: string) => [...text].map((byte) => `1\r\n${byte}\r\n`).join('');
const LONG = 'abcdefghij'.repeat(30_000);

/** What is sent before and after the turn of a request. */
const FORMS = {
  chunked: (before: string, after: string) => [
    CHUNKED + chunksOf(before) + (after === '' ? '0\r\n\r\n' : ''),
    after === '' ? '' : `${chunksOf(after)}0\r\n\r\n`,
  ],
  sized: (before: string, after: string) => [
    `POST /work HTTP/1.1\r\nHost: a\r\nContent-Length: ${before.length + after.length}\r\n\r\n${before}`,
    after,
  ],
};

const BODIES = [
  ['complete before its turn', 'abc', ''],
  ['empty', '', ''],
  ['sent before and after its turn', 'abc', 'def'],
  ['sent after its turn', '', 'abc'],
  ['longer than what is read before its turn', LONG, ''],
  ['longer and sent before and after it', LONG, LONG],
] as const;

describe.each(['chunked', 'sized'] as const)('a %s body that waits', (form) => {
  test.each(BODIES)(
    'is served whole when it was %s, and the connection goes on',
    async (_, before, after) => {
      const { arrived, begin, connect } = await aBusyServer();
      const connection = await connect();
      const [first = '', rest = ''] = FORMS[form](before, after);
      connection.send(first);
      const [request] = await arrived(1);
      expect(request?.readableLength).toBe(0);
      begin();
      connection.send(rest);
      expect((await connection.answer())?.body).toBe(before + after);
      connection.send(FORMS[form]('next', '').join(''));
      await arrived(2);
      begin();
      expect((await connection.answer())?.body).toBe('next');
    },
  );

  test('is served whole behind another one, and again behind that', async () => {
    const { arrived, begin, connect } = await aBusyServer();
    const connection = await connect();
    const bodies = ['one', LONG.slice(0, 9000), '', 'four'];
    connection.send(bodies.map((body) => FORMS[form](body, '').join('')).join(''));
    await arrived(1);
    for (const body of bodies) {
      const answer = connection.answer();
      begin();
      for (let pass = 0; pass < 5; pass += 1) await setImmediate();
      begin();
      expect((await answer)?.body).toBe(body);
    }
  });
});

/** A request of a connection of its own, whose head counts 2,500 bytes and more. */
function aRequest(more = 0, socket = new ASocket()): IncomingMessage {
  const rawHeaders = more === 0 ? [] : ['x', 'y'.repeat(more - 121)];
  return { socket, headers: {}, rawHeaders, rawTrailers: [], url: '' } as unknown as IncomingMessage;
}

class ASocket extends EventEmitter {
  destroyed = false;
  destroy = () => {
    this.destroyed = true;
  };
}

function aRoom(maxBytes: number) {
  const room = new WaitingRoom(maxBytes);
  return {
    room,
    take: (client: string, count: number, more = 0, bytes: number | null = null) =>
      Array.from({ length: count }, () => {
        const request = aRequest(more);
        room.take(request, client, bytes === null ? null : ({ bytes } as HeldBody));
        return request;
      }),
  };
}

const closed = (requests: readonly IncomingMessage[]) => requests.filter(({ socket }) => socket.destroyed);

test('it has places for requests of usual size, fewer the more heads or bodies are in it', () => {
  const { room, take } = aRoom(409_600);
  expect(room.places).toBe(75);
  const heads = take('a', 50);
  expect(Math.round(room.places)).toBe(44);
  for (const request of heads) room.leave(request);
  expect(room.places).toBe(75);
  const large = aRoom(40_960_000);
  expect(large.room.places).toBe(384);
  large.take('a', 3, 0, 131_072 * 60);
  expect(large.room.places).toBe(384 - 180);
});

test('no connection ends for a request that has no place even then', () => {
  const { take } = aRoom(1_000_000);
  for (let client = 0; client < 8; client += 1) take(`large ${client}`, 6, 7500);
  const most = take('a', 208);
  // There would be room for its head, but not among the large ones, of which no client has much.
  expect(closed(take('b', 1, 27_500))).toHaveLength(1);
  expect(closed(most)).toEqual([]);
});

test('who gives way does so until there is room', () => {
  const { take } = aRoom(100_000);
  const most = take('a', 6);
  const others = Array.from({ length: 9 }, (_, client) => take(`other ${client}`, client < 8 ? 4 : 2)).flat();
  expect(closed(take('b', 1, 5000))).toEqual([]);
  expect([closed(most).length, closed(others)]).toEqual([3, []]);
});

test('no connection ends for one that has been refused', () => {
  const { room, take } = aRoom(100_000);
  const most = take('a', 40);
  const [refused] = closed(take('a', 1)) as [IncomingMessage];
  expect(room.take(refused, 'b', null)).toBe(false);
  expect([closed(most), room.of(refused.socket)]).toEqual([[], 0]);
});

test('connections that hold nothing of a kind hide none that do', () => {
  const { room, take } = aRoom(1e9);
  const parked: IncomingMessage[] = [];
  for (let index = 0; index < 600; index += 1) {
    const socket = new ASocket();
    const [body, bare] = [aRequest(0, socket), aRequest(0, socket)];
    room.take(body, 'a', { bytes: 1024 } as HeldBody);
    room.take(bare, 'a', null);
    room.leave(body);
    parked.push(bare);
  }
  const most = take('a', 8192, 0, 8192);
  expect(closed(most)).toEqual([]);
  expect(closed(take('b', 1, 0, 1024))).toEqual([]);
  expect([closed(most).length, closed(parked).length]).toEqual([1, 0]);
});

test('a refused body keeps nothing of what still arrives', () => {
  const request = aRequest();
  const refused = new HeldBody(request);
  let grown = 0;
  refused.grew = () => {
    grown += 1;
    refused.drop();
  };
  for (let count = 0; count < 3; count += 1) request.push(Buffer.alloc(5000));
  expect([refused.bytes, grown]).toEqual([0, 1]);
});

test('trailers count as headers do', () => {
  const { room } = aRoom(200_000);
  const request = aRequest();
  let isTaken = false;
  const body = new HeldBody(request);
  body.grew = () => {
    isTaken = room.take(request, 'a', body);
  };
  request.push(Buffer.from('abc'));
  expect(isTaken).toBe(true);
  request.rawTrailers.push(...Array.from({ length: 3000 }, () => 'x'));
  request.push(null);
  expect([isTaken, request.socket.destroyed]).toEqual([false, true]);
});

test('a held body takes little more than its bytes, however it is cut, and stops reading when it has enough', () => {
  const request = Object.assign(Object.create({ push: (piece: Buffer | null) => given.push(piece) }), {
    rawTrailers: [],
  });
  const given: (Buffer | null)[] = [];
  const body = new HeldBody(request);
  const sizes: number[] = [];
  body.grew = () => sizes.push(body.bytes);
  const wanted = Array.from({ length: 70_000 }, (_, index) => request.push(Buffer.from([index & 255])));
  expect(wanted.indexOf(false)).toBe(65_535);
  expect(sizes).toEqual([1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072]);
  request.push(null);
  expect(given).toEqual([]);
  body.release();
  expect(body.bytes).toBe(0);
  expect(given).toEqual([Buffer.from(Array.from({ length: 70_000 }, (_, index) => index & 255)), null]);
});
