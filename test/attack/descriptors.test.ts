import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { attackMs, attackTimeout } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { addressOf, brokenJobs, CHAIN, submissionText, submit } from './contracts.ts';
import { connectAsStranger, requestBytes } from './raw-connection.ts';
import { besideInnocents } from './report.ts';

const SHORT_SECONDS = 1;
const DESCRIPTORS = 512;
const IDLE_CONNECTIONS = 1000;
const BUSY_CONNECTIONS = 600;
const BUSY = requestBytes('POST', `/v2/verify/${CHAIN}/${addressOf(1)}`, {
  'content-type': 'application/json',
  'content-length': '10',
});

let server: AttackedServer;
afterEach(() => server.remove());

/** Holds a connection with a request whose body never comes, and another one whenever it is ended. */
function holdBusy(url: string, signal: AbortSignal): void {
  if (signal.aborted) return;
  const socket = connectAsStranger(url).on('error', () => {});
  socket.resume().write(BUSY);
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  socket.once('close', () => {
    signal.removeEventListener('abort', end);
    setTimeout(holdBusy, 20, url, signal);
  });
}

/** Over a connection of its own, as orchestrators do. */
async function statusOf(url: string): Promise<number> {
  const headers = { connection: 'close' };
  return (await fetch(url, { headers, signal: AbortSignal.timeout(20_000) })).status;
}

/** Once the kernel has answered: with a connection, or without. */
function opened(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
}

test('connections beyond the descriptors leave health and jobs alone', {
  ...attackTimeout(SHORT_SECONDS),
}, async () => {
  server = await startAttacked({ descriptors: DESCRIPTORS });
  const { hostname, port } = new URL(server.url);
  const idle = Array.from({ length: IDLE_CONNECTIONS }, () =>
    connect({ host: hostname, port: Number(port) }).on('error', () => {}),
  );
  // The kernel takes some a second later; in such a burst the server cannot single out the next health check.
  await Promise.all(idle.map(opened));
  const accepted: string[] = [];
  await besideInnocents('connections beyond the descriptors', server, async () => {
    const deadline = Date.now() + attackMs(SHORT_SECONDS);
    for (let turn = 0; Date.now() < deadline; turn += 1) {
      expect(await statusOf(`${server.url}/health/liveness`)).toBe(200);
      const { status, verificationId } = await submit(server.url, turn, {
        body: submissionText(`descriptors ${turn}`),
      });
      expect([202, 503]).toContain(status);
      if (verificationId !== null) accepted.push(verificationId);
      await pause(50);
    }
  });
  for (const socket of idle) socket.destroy();
  expect(await brokenJobs(server.url, accepted)).toEqual([]);
  expect((await submit(server.url, 2000)).status).toBe(202);
  expect(server.log()).toMatch(/descriptor|EMFILE|ulimit/i);
  expect(await server.stop('SIGTERM')).toBe(0);
  console.log(
    `descriptors: ${idle.length} idle connections on ${DESCRIPTORS}, ${accepted.length} verifications ended well`,
  );
});

test('one client that holds all connections takes none from others', {
  ...attackTimeout(SHORT_SECONDS),
}, async () => {
  server = await startAttacked({ descriptors: DESCRIPTORS });
  const attack = new AbortController();
  await besideInnocents('connections that one client holds', server, async () => {
    for (let index = 0; index < BUSY_CONNECTIONS; index += 1) holdBusy(server.url, attack.signal);
    await pause(attackMs(SHORT_SECONDS) + 2000);
    const connections = server.descriptors();
    expect(connections).toBeGreaterThan(DESCRIPTORS / 2);
    console.log(
      `descriptors: ${connections} open, of which one client wants ${BUSY_CONNECTIONS} connections`,
    );
  });
  attack.abort();
});
