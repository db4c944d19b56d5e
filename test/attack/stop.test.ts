import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { AnswerReader } from './answer-reader.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { startAttacked } from './attacked-server.ts';
import { addressOf, CHAIN, submissionText } from './contracts.ts';
import { requestBytes } from './raw-connection.ts';
import { recordRow } from './report.ts';

const SHORT_SECONDS = 4;
const CONNECTIONS = 120;
const JSON_TYPE = { 'content-type': 'application/json' };

/** `refused`: the server had stopped listening; clients may try another one. */
type End = 'answered' | 'refused' | 'reset' | 'closed without an answer';

function requestOf(index: number): Buffer {
  if (index % 4 === 0) return requestBytes('GET', '/api/v1/transactions');
  if (index % 4 === 1) return requestBytes('GET', '/api/v2/summary.json');
  if (index % 4 === 2) return requestBytes('GET', '/health/liveness');
  return requestBytes('POST', `/v2/verify/${CHAIN}/${addressOf(index)}`, JSON_TYPE, submissionText());
}

function follow(socket: Socket, wanted: number): Promise<End> {
  const reader = new AnswerReader();
  let answers = 0;
  for (let count = wanted; count > 0; count -= 1) reader.expect('GET');
  let isConnected = false;
  return new Promise((resolve) => {
    socket.on('connect', () => {
      isConnected = true;
    });
    socket.on('data', (chunk) => {
      answers += reader.read(chunk).length;
      if (answers === wanted) resolve('answered');
    });
    socket.on('error', () => resolve(isConnected ? 'reset' : 'refused'));
    socket.on('end', () => resolve('closed without an answer'));
  });
}

/**
 * `standing`: every connection has served a request before; `young`: each was just made, some may wait to be accepted;
 * `late`: the signal comes while they are made.
 */
type Kind = 'standing' | 'young' | 'late';

/** Of the servers after the signal. */
let longestTurn = 0;

async function stopUnder(kind: Kind): Promise<readonly End[]> {
  const server = await startAttacked();
  try {
    const port = Number(new URL(server.url).port);
    const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host: '127.0.0.1', port }));
    const ends = sockets.map((socket) => follow(socket, kind === 'standing' ? 2 : 1));
    const connected = sockets.map((socket) => once(socket, 'connect').catch(() => {}));
    if (kind === 'standing') {
      for (const socket of sockets) socket.write(requestBytes('GET', '/health/liveness'));
      await Promise.all(sockets.map((socket) => once(socket, 'data')));
    }
    for (const [index, socket] of sockets.entries()) socket.write(requestOf(index));
    // What is written before is sent with the connection.
    await (kind === 'late' ? Promise.race(connected) : Promise.all(connected));
    const stoppedAt = Date.now();
    const code = server.stop('SIGTERM');
    const all = await Promise.all(ends);
    for (const socket of sockets) socket.destroy();
    expect(await code, server.log()).toBe(0);
    longestTurn = Math.max(longestTurn, server.longestTurnMs(stoppedAt));
    return all;
  } finally {
    await server.remove();
  }
}

test('a stop signal resets no request that was sent before it', {
  ...attackTimeout(SHORT_SECONDS),
}, async () => {
  const deadline = Date.now() + attackMs(SHORT_SECONDS);
  const counts: Record<Kind, Partial<Record<End, number>>> = { standing: {}, young: {}, late: {} };
  let rounds = 0;
  do {
    for (const [kind, ends] of Object.entries(counts)) {
      if (kind === 'late' && !IS_FULL) continue;
      for (const end of await stopUnder(kind as Kind)) ends[end] = (ends[end] ?? 0) + 1;
    }
    rounds += 1;
  } while (IS_FULL && Date.now() < deadline);
  console.log(`stop: ${rounds} rounds of ${CONNECTIONS} requests just sent: ${JSON.stringify(counts)}`);
  recordRow({ scenario: 'stops', readsP99: null, livenessMax: null, longestTurn });
  const all = { answered: rounds * CONNECTIONS };
  expect(counts.standing).toEqual(all);
  expect(counts.young).toEqual(all);
  // Of those that were not sent yet the kernel resets what was not accepted.
  expect(counts.late).not.toHaveProperty('closed without an answer');
});
