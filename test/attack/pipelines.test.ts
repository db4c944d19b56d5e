import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { connectAsStranger, requestBytes } from './raw-connection.ts';
import { besideInnocents } from './report.ts';

const SHORT_SECONDS = 3;
const [CONNECTIONS, PIPELINED] = [313, 64];
const FEW_DESCRIPTORS = 60;
/** Between two requests of a connection each of the others has one, so that a few rounds go by at most. */
const FAIR_SHARE = 0.25;
const PATHS = [
  '/api/v1/transactions',
  '/api/v2/summary.json',
  '/api/v1/accounts?balance=true',
  '/health/liveness',
];

let server: AttackedServer;
beforeAll(async () => {
  server = await startAttacked();
});
afterAll(() => server.remove());

const connectAsInnocent = (url: string) => connect({ host: '127.0.0.1', port: Number(new URL(url).port) });

async function connected(open = connectAsInnocent): Promise<Socket> {
  const socket = open(server.url);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** How many requests the server has answered, as it said itself when it answered this one. */
async function answeredBy(socket: Socket): Promise<number> {
  socket.write(requestBytes('GET', '/metrics', { connection: 'close' }));
  const metrics = await text(socket);
  expect(metrics).toMatch(/^HTTP\/1\.1 200 /);
  const counts = [...metrics.matchAll(/^ledgerlens_http_request_duration_seconds_count\{[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** @returns the share of the attackers' requests that was answered before an innocent one, and how long that took. */
async function requestAmong(
  path: string,
  open: typeof connectAsInnocent,
): Promise<{ readonly share: number; readonly ms: number }> {
  const innocent = await connected();
  const before = await answeredBy(await connected());
  const attackers = await Promise.all(Array.from({ length: CONNECTIONS }, () => connected(open)));
  const bytes = Buffer.concat(Array.from({ length: PIPELINED }, () => requestBytes('GET', path)));
  for (const attacker of attackers) attacker.resume().write(bytes);
  const sentAt = performance.now();
  const after = await answeredBy(innocent);
  const ms = Math.round(performance.now() - sentAt);
  for (const attacker of attackers) attacker.destroy();
  return { share: (after - before) / (CONNECTIONS * PIPELINED), ms };
}

test.each([
  ['pipelines through the proxy of all', connectAsInnocent],
  ['pipelines of another client', connectAsStranger],
])(
  '%s: many requests on each of many connections keep no other client waiting',
  {
    ...attackTimeout(SHORT_SECONDS),
  },
  async (name, open) => {
    await until('earlier connections have gone', async () => server.descriptors() < FEW_DESCRIPTORS);
    const waits: { readonly share: number; readonly ms: number }[] = [];
    await besideInnocents(name, server, async () => {
      const deadline = Date.now() + attackMs(SHORT_SECONDS);
      do {
        for (const path of PATHS) waits.push(await requestAmong(path, open));
      } while (IS_FULL && Date.now() < deadline);
    });
    const longest = Math.max(...waits.map(({ ms }) => ms));
    const shares = waits.map(({ share }) => share);
    console.log(
      `${name}: an innocent request waited for ${shares.map((share) => share.toFixed(3)).join(', ')} of the others, at most ${longest} ms`,
    );
    expect(Math.max(...shares)).toBeLessThan(FAIR_SHARE);
    if (IS_FULL) expect(longest).toBeLessThan(500);
    expect(server.end()).toBeNull();
    expect(server.peakMiB()).toBeLessThan(1024);
  },
);

const jobOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** The ids of the jobs that answers of one connection name, in their order. */
async function answersTo(ids: readonly string[]): Promise<readonly string[]> {
  const socket = await connected();
  const requests = ids.map((id, index) =>
    requestBytes('GET', `/v2/verify/${id}`, index === ids.length - 1 ? { connection: 'close' } : {}),
  );
  socket.write(Buffer.concat(requests));
  const answers = await text(socket);
  return [...answers.matchAll(/No verification job found for id ([\da-f-]+)/g)].map(([, id = '']) => id);
}

test('every request of a pipeline is answered, in order, also after connections that were left in the middle of theirs', async () => {
  const ids = Array.from({ length: 300 }, (_, index) => jobOf(index));
  expect(await answersTo(ids)).toEqual(ids);
  // Node reports no end of requests behind which a CONNECT came.
  const left = Buffer.concat([
    Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2000)),
    Buffer.from('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n'),
  ]);
  for (let index = 0; index < 12; index += 1) {
    const socket = await connected();
    socket.resume().write(left);
    await once(socket, 'close');
  }
  expect(await answersTo(ids)).toEqual(ids);
});
