import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { connectTo } from '../../../test/support/http-connection.ts';
import { clientAddresses } from '../client-address.ts';
import { admitRequests } from './admission.ts';
import { ConnectionBudget } from './connection-budget.ts';
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

const HEAD = 'POST /work HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunksOf = (text: string) => [...text].map((byte) => `1\r\n${byte}\r\n`).join('');
const LONG = 'abcdefghij'.repeat(10_000);

test.each([
  ['complete before its turn', 'abc', ''],
  ['empty', '', ''],
  ['sent before and after its turn', 'abc', 'def'],
  ['sent after its turn', '', 'abc'],
  ['longer than what is read before its turn', LONG, ''],
])('a chunked body that is %s is served whole, and the connection goes on', async (_, before, after) => {
  const { arrived, begin, connect } = await aBusyServer();
  const connection = await connect();
  connection.send(HEAD + chunksOf(before) + (after === '' ? '0\r\n\r\n' : ''));
  const [request] = await arrived(1);
  // Little more than one read, of which each chunk of a byte takes six.
  expect(request?.readableLength).toBeLessThanOrEqual(22_000);
  begin();
  if (after !== '') connection.send(`${chunksOf(after)}0\r\n\r\n`);
  expect((await connection.answer())?.body).toBe(before + after);
  connection.send(`${HEAD}${chunksOf('next')}0\r\n\r\n`);
  await arrived(2);
  begin();
  expect((await connection.answer())?.body).toBe('next');
});
