import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeAfterReading } from './lingering-close.ts';

const MIB = 1_048_576;
const CLIENTS = 4;
const SENT = 8 * MIB;

test('what clients still send behind their last answer is read to its end, and little of it in one pass', async () => {
  const sockets: Socket[] = [];
  const server = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = Array.from({ length: CLIENTS }, () => connect(port, '127.0.0.1'));
  for (const client of clients) client.resume().end(Buffer.alloc(SENT));
  await expect.poll(() => sockets.length).toBe(CLIENTS);

  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const socket of sockets) closeAfterReading(socket);
  let [read, most, isOver] = [0, 0, false];
  const look = (): void => {
    const now = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    [read, most] = [now, Math.max(most, now - read)];
    if (!isOver) setImmediate(look);
  };
  look();
  await Promise.all(closed);
  isOver = true;
  server.close();

  expect(sockets.map(({ bytesRead }) => bytesRead)).toEqual(sockets.map(() => SENT));
  // A quarter of a megabyte, and of each what is read before it can be stopped.
  expect(most).toBeLessThan(MIB);
});
