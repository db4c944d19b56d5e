import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLeftOut, notLinux } from '../support/left-out.ts';
import { startServe } from '../support/serve-process.ts';

/** Node's own queue has 511 places; whoever finds none tries again after a second. */
const CONNECTIONS = 800;

const places = '/proc/sys/net/core/somaxconn';
const tooFew =
  notLinux === null && Number(readFileSync(places, 'utf8')) < CONNECTIONS
    ? `skipped: this system keeps fewer than ${CONNECTIONS} connections waiting (${places})`
    : notLinux;

test.skipIf(isLeftOut(tooFew))(
  'a burst of connections waits while the server is busy, and none of it comes in vain',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-burst-'));
    const server = await startServe({ DATABASE_URL: 'sqlite::memory:' }, folder);
    onTestFinished(async () => {
      await server.stop('SIGKILL');
      rmSync(folder, { recursive: true });
    });
    const { hostname: host, port } = new URL(server.url);
    server.child.kill('SIGSTOP');
    const sockets = Array.from({ length: CONNECTIONS }, () => connect({ host, port: Number(port) }));
    // As long as the server is stopped, a connection that finds no place is never made.
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    server.child.kill('SIGCONT');
    const answered = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write('GET /health/liveness HTTP/1.1\r\nHost: a\r\n\r\n');
    const answers = (await Promise.all(answered)).map(([bytes]) => String(bytes).slice(0, 15));
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
    for (const socket of sockets) socket.destroy();
  },
);
