import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createStatusToken } from '../../src/status/manage/tokens.ts';
import { runCommandBeside, type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';

const TOKEN = createStatusToken('webhooks', 'write', (count) => new Uint8Array(count).fill(4));
const CALLS_BEFORE_KILL = 12;
const WAIT_TIMEOUT_MS = 60_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'status-webhooks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = async () => ({
  DATABASE_URL: await databaseUrlOf(join(folder, 'page.sqlite')),
  STATUS_TOKENS: TOKEN.line,
  STATUS_PROBES_OFF: 'all',
  STATUS_WEBHOOK_PRIVATE: 'on',
  PUBLIC_URL: 'https://ledger.example.org',
});

interface Received {
  readonly delivery: string;
  readonly signature: string;
  readonly bytes: Buffer;
}

/** A receiver on loopback; `answer` decides about each request when it is there in full. */
async function startReceiver(answer: (count: number, response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        delivery: String(request.headers['x-ledgerlens-delivery']),
        signature: String(request.headers['x-ledgerlens-signature']),
        bytes: Buffer.concat(chunks),
      });
      answer(received.length, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const newestBody = ({ bytes }: Received) =>
    JSON.parse(String(bytes)).incident.incident_updates[0].body as string;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    texts: () => new Set(received.map(newestBody)),
  };
}

async function call(server: ServeProcess, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}/v1/pages${path}`, {
    method,
    headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as never };
}

async function subscribed(server: ServeProcess, endpoint: string) {
  const [{ id: page }] = (await call(server, 'GET', '')).body as [{ id: string }];
  const answer = await call(server, 'POST', `/${page}/subscribers`, { subscriber: { endpoint } });
  expect(answer.status).toBe(201);
  return { page, ...(answer.body as { id: string; secret: string }) };
}

test('every change that a killed server answered arrives after the restart, and what commands change as well', {
  timeout: 180_000,
}, async () => {
  // The first request is held, so the server dies while it sends.
  const receiver = await startReceiver((count, response) => {
    if (count > 1) response.writeHead(204).end();
  });
  let server = await startServe(await settings(), folder);
  const { page, secret } = await subscribed(server, receiver.url);
  const made = await call(server, 'POST', `/${page}/incidents`, { incident: { name: 'I', body: 'Call 0' } });
  const { id: incident } = made.body as { id: string };
  const answered = ['Call 0'];
  const writing = (async () => {
    for (let count = 1; ; count += 1) {
      const body = `Call ${count}`;
      const { status } = await call(server, 'PATCH', `/${page}/incidents/${incident}`, {
        incident: { body },
      });
      if (status === 200) answered.push(body);
    }
    // The kill ends the request that is under way.
  })().catch(() => undefined);
  await until('the first attempt is there', async () => receiver.received.length === 1);
  await until('some calls were answered', async () => answered.length > CALLS_BEFORE_KILL);
  await server.stop('SIGKILL');
  await writing;
  const [first] = receiver.received;

  server = await startServe(await settings(), folder);
  const missing = () => answered.filter((text) => !receiver.texts().has(text));
  await until(
    'the first delivery is there again, and all that was answered',
    async () =>
      receiver.received.slice(1).some(({ delivery }) => delivery === first?.delivery) &&
      missing().length === 0,
    WAIT_TIMEOUT_MS,
  );
  const again = receiver.received.slice(1).find(({ delivery }) => delivery === first?.delivery);
  expect(again).toEqual(first);
  for (const { bytes, signature } of receiver.received)
    expect(signature).toBe(`sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`);

  const { exitCode, errors } = await runCommandBeside(
    ['status', 'update', 'incident', incident, 'body=By command'],
    await settings(),
    folder,
  );
  expect([exitCode, errors]).toEqual([0, '']);
  await until('what the command changed arrived', async () => receiver.texts().has('By command'));
  await server.stop('SIGTERM');
});
