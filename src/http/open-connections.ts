import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of one server, told apart by whether a request runs on them. */
export interface OpenConnections {
  /** From now on: connections without a request end at once, the others after their answer. */
  endWhenIdle(): void;
}

/**
 * Follows every connection of a server.
 *
 * Balancers keep connections, and open some before they need them; `Server.close` waits for both, and
 * `closeIdleConnections` leaves those on which nothing was ever sent.
 */
export function followConnections(server: Server): OpenConnections {
  const running = new Map<Socket, number>();
  let isEnding = false;
  server.on('connection', (socket: Socket) => {
    if (isEnding) return void socket.destroy();
    running.set(socket, 0);
    socket.once('close', () => running.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    running.set(socket, (running.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (running.get(socket) ?? 1) - 1;
      if (running.has(socket)) running.set(socket, left);
      if (isEnding && left === 0) socket.destroySoon();
    });
  });
  return {
    endWhenIdle() {
      isEnding = true;
      for (const [socket, requests] of running) if (requests === 0) socket.destroy();
    },
  };
}
