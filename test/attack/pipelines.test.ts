import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { requestBytes } from './raw-connection.ts';
import { besideInnocents } from './report.ts';

const SHORT_SECONDS = 3;
const [CONNECTIONS, PIPELINED] = [313, 64];
const WAVE = CONNECTIONS * PIPELINED;
const FEW_DESCRIPTORS = 60;
/**
 * Of a wave; one connection after the other would be all of it. In the full form the server has the processor before
 * its clients, and serves many cheap requests while an innocent client waits for its own turn on it.
 */
const FAIR_SHARE = IS_FULL ? 0.75 : 0.25;
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

async function connected(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) });
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

const PROCESS = fileURLToPath(new URL('./pipeline-process.ts', import.meta.url));

/** Attacks from a process of its own: writing to all connections takes it longer than an innocent request may. */
async function besidePipelines(kind: string, work: (isOn: () => boolean) => Promise<void>): Promise<void> {
  const order = [server.url, String(CONNECTIONS), String(PIPELINED), PATHS.join(' '), kind];
  const attacker = spawn(process.execPath, ['--import', 'tsx', PROCESS, ...order], { stdio: 'inherit' });
  const ended = once(attacker, 'exit');
  try {
    await work(() => attacker.exitCode === null);
    expect(attacker.exitCode).toBeNull();
  } finally {
    attacker.kill('SIGKILL');
    await ended;
  }
}

/** Two requests, one after the other. @returns the share of a wave that was answered before the second, and how long that took. */
async function requestAmong(): Promise<{
  readonly answered: number;
  readonly share: number;
  readonly ms: number;
}> {
  const [one, other] = [await connected(), await connected()];
  const before = await answeredBy(one);
  const sentAt = performance.now();
  const answered = await answeredBy(other);
  const ms = Math.round(performance.now() - sentAt);
  return { answered, share: (answered - before) / WAVE, ms };
}

test.each([
  ['pipelines through the proxy of all', 'innocent'],
  ['pipelines of another client', 'stranger'],
])(
  '%s: many requests on each of many connections keep no other client waiting',
  {
    ...attackTimeout(SHORT_SECONDS),
  },
  async (name, kind) => {
    await until('earlier connections have gone', async () => server.descriptors() < FEW_DESCRIPTORS);
    const waits: Awaited<ReturnType<typeof requestAmong>>[] = [];
    await besideInnocents(name, server, () =>
      besidePipelines(kind, async (isOn) => {
        const deadline = Date.now() + attackMs(SHORT_SECONDS);
        const isAttacked = () => (waits.at(-1)?.answered ?? 0) - (waits[0]?.answered ?? 0) > WAVE;
        do waits.push(await requestAmong());
        while (isOn() && (Date.now() < deadline || !isAttacked()));
      }),
    );
    const longest = Math.max(...waits.map(({ ms }) => ms));
    const share = Math.max(...waits.map((wait) => wait.share));
    console.log(
      `${name}: ${waits.length} innocent requests waited for at most ${share.toFixed(3)} of a wave, ${longest} ms`,
    );
    expect(share).toBeLessThan(FAIR_SHARE);
    expect(longest).toBeLessThan(IS_FULL ? 500 : 2000);
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
