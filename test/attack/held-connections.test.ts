import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { addressOf, CHAIN } from './contracts.ts';
import { connectAsStranger } from './raw-connection.ts';
import { expectAnswered, expectLively, expectSmall, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 4;
const DRIP_MS = 500;
/** Connections that each way of holding one may have. */
const SHARE = IS_FULL ? 1 : 0.2;
/** Part of them that the server has at a time; the probe's own connections come and go. */
const MIN_HELD = 0.99;

const attacked = underAttack();

const request = (target: string, method = 'GET') => `${method} ${target} HTTP/1.1\r\nhost: localhost\r\n`;
const whole = (target: string) => `${request(target)}\r\n`;
const drip = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
};

/** What a client does with a connection that it then holds; none of them ever sends another request. */
const WAYS: readonly (readonly [count: number, name: string, hold: (socket: Socket) => void])[] = [
  [6000, 'nothing sent', () => {}],
  [2200, 'kept after an answer', (socket) => socket.write(whole('/api/v1/transactions'))],
  [500, 'half a request line', (socket) => socket.write('GET /api/v1/trans')],
  [
    500,
    'headers that never end',
    (socket) => {
      socket.write(request('/api/v2/summary.json'));
      drip(socket, 'x-a: b\r\n');
    },
  ],
  [
    300,
    'a body that never comes',
    (socket) =>
      socket.write(
        `${request(`/v2/verify/${CHAIN}/${addressOf(1)}`, 'POST')}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
      ),
  ],
  [
    300,
    'answers that stay unread',
    (socket) => {
      socket.pause();
      for (let index = 0; index < 30; index += 1) socket.write(whole('/api/v1/transactions?limit=100'));
    },
  ],
  [
    200,
    'answers read a byte at a time',
    (socket) => {
      socket.pause();
      for (let index = 0; index < 30; index += 1) socket.write(whole('/docs/openapi.json'));
      const timer = setInterval(() => socket.read(1), DRIP_MS);
      socket.once('close', () => clearInterval(timer));
    },
  ],
];

test('ten thousand connections held in every state take nothing from other clients', {
  ...attackTimeout(SHORT_SECONDS),
}, async () => {
  const { server, probe } = attacked;
  await probe.take();
  await pause(1000);
  const before = await probe.take();
  const own = server.descriptors();
  const held = new Set<Socket>();
  for (const [count, , hold] of WAYS) {
    for (let index = 0; index < count * SHARE; index += 1) {
      const socket = connectAsStranger(server.url);
      held.add(socket);
      socket.on('connect', () => hold(socket));
      socket.on('error', () => {});
      socket.once('close', () => held.delete(socket));
      // Faster than a client machine could, slower than the kernel's queue.
      if (index % 100 === 99) await pause(20);
    }
  }
  // The server has them all: of those that it closed a client that reads nothing hears nothing.
  await expect.poll(() => server.descriptors() - own).toBeGreaterThanOrEqual(held.size * MIN_HELD);
  expect(held.size).toBe(WAYS.reduce((sum, [count]) => sum + count * SHARE, 0));
  await pause(attackMs(SHORT_SECONDS));
  expect(server.end()).toBeNull();
  const during = await probe.take();
  printAttack(`${held.size} held connections`, server, { before, during });
  for (const socket of held) socket.destroy();

  expectAnswered(during);
  expectSmall(server);
  expectLively(during);
  const after = await fetch(`${server.url}/api/v1/transactions`);
  expect(after.status).toBe(200);
});
