import { once } from 'node:events';
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
    lateness: { ms: 0 },
    limiter: null,
    clientAddress: clientAddresses(false),
    budget: new ConnectionBudget(null),
    areas: { isManaged: () => false },
    maxBytes: 1e8,
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

test('a held body takes little more than its bytes, however it is cut, and asks for no more than it needs', () => {
  const request = Object.assign(Object.create({ push: (piece: Buffer | null) => given.push(piece) }), {});
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
  expect(given).toEqual([Buffer.from(Array.from({ length: 70_000 }, (_, index) => index & 255)), null]);
});
