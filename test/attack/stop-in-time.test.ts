import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { HOSTILE_ANSWERS, startHostileNode } from '../support/hostile-node.ts';
import { holdWriteLock } from '../support/sqlite-file.ts';
import { attackTimeout } from './attack-seconds.ts';
import { startAttacked } from './attacked-server.ts';
import { addressOf, CHAIN, submissionText, submit } from './contracts.ts';
import { requestBytes } from './raw-connection.ts';
import { recordRow } from './report.ts';

const SHORT_SECONDS = 10;
const GRACE_SECONDS = 2;
/** After the grace period. */
const END_SECONDS = 5;
const JSON_TYPE = { 'content-type': 'application/json' };
const HOSTILE_CHAINS = { 7001: 'hang', 7002: 'drip', 7003: 'endless', 7004: 'bomb' } as const;

/** Sources whose compilation outlasts the test. */
function longSubmission(): string {
  const functions = Array.from(
    { length: 3000 },
    (_, index) =>
      `function f${index}(uint a, uint[] memory b) public returns (uint[] memory) { for (uint i = 0; i < b.length; i++) { x += a * ${index} + b[i] / (i + ${index + 1}); b[i] = x % ${index + 7}; } return b; }`,
  );
  const settings = { optimizer: { enabled: true, runs: 1_000_000 }, viaIR: true };
  const sources = { 'a.sol': { content: `contract A { uint x; ${functions.join('\n')} }` } };
  const { compilerVersion } = JSON.parse(submissionText()) as { readonly compilerVersion: string };
  const stdJsonInput = { language: 'Solidity', sources, settings };
  return JSON.stringify({ stdJsonInput, compilerVersion, contractIdentifier: 'a.sol:A' });
}

/** Begins an answer that never ends. */
async function drippingMirror(): Promise<string> {
  const mirror = createServer((_, response) => HOSTILE_ANSWERS.drip(response)).listen(0, '127.0.0.1');
  await once(mirror, 'listening');
  onTestFinished(() => void mirror.close().closeAllConnections());
  return `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
}

test('a stop ends in time whatever clients, compilers, chains and sources do', {
  ...attackTimeout(SHORT_SECONDS),
}, async () => {
  const node = await startHostileNode();
  onTestFinished(() => node.close());
  const chains = Object.entries(HOSTILE_CHAINS).map(([id, kind]) => [id, { rpc: [`${node.url}/${kind}`] }]);
  const server = await startAttacked({
    env: { SHUTDOWN_SECONDS: String(GRACE_SECONDS), MIRROR_FOLLOW: await drippingMirror() },
    chains: Object.fromEntries(chains),
  });
  onTestFinished(() => server.remove());
  const port = Number(new URL(server.url).port);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const send = async (bytes: string | Buffer) => {
    const socket = connect({ host: '127.0.0.1', port }).on('error', () => {});
    await once(socket, 'connect');
    socket.write(bytes);
    sockets.push(socket);
    return socket;
  };
  const attackedAt = Date.now();
  const long = await submit(server.url, 0, { body: longSubmission() });
  for (const chain of Object.keys(HOSTILE_CHAINS)) await submit(server.url, 1, { chain });
  const post = requestBytes('POST', `/v2/verify/${CHAIN}/${addressOf(2)}`, JSON_TYPE, submissionText());
  for (let round = 0; round < 20; round++) {
    // Idle, half a head, half a body, a long wait, many at once, and answers that stay unread.
    await send('');
    await send('GET /chains HTT');
    await send(post.subarray(0, post.length - 20));
    await send(requestBytes('GET', `/v2/verify/${long.verificationId}?wait=60`));
    const socket = await send(
      Buffer.concat(Array.from({ length: 64 }, () => requestBytes('GET', '/api/v1/transactions?limit=100'))),
    );
    socket.pause();
  }
  // Whoever waits for it sleeps inside SQLite.
  onTestFinished(holdWriteLock(server.database));
  await pause(3000);
  expect(server.end()).toBeNull();
  const startedAt = performance.now();
  const code = await server.stop('SIGTERM');
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`stop-in-time: code ${code} after ${seconds.toFixed(1)} s`);
  recordRow({
    scenario: 'stop in time',
    readsP99: null,
    livenessMax: null,
    longestTurn: server.longestTurnMs(attackedAt),
  });
  expect(seconds, server.log().slice(-3000)).toBeLessThan(GRACE_SECONDS + END_SECONDS);
});
