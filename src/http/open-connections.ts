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
  // Answers of a connection end in the order of their requests, so the newest tells of all; a listener for
  // each would cost more than some answers do.
  const newest = new Map<Socket, ServerResponse | null>();
  let isEnding = false;
  const endAfter = (socket: Socket, response: ServerResponse): void => {
    response.once('close', () => {
      if (newest.get(socket) === response) socket.destroySoon();
    });
  };
  server.on('connection', (socket: Socket) => {
    if (isEnding) return void socket.destroy();
    newest.set(socket, null);
    socket.once('close', () => newest.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    newest.set(socket, response);
    if (isEnding) endAfter(socket, response);
  });
  return {
    endWhenIdle() {
      isEnding = true;
      for (const [socket, response] of newest) {
        if (response === null || response.writableFinished) socket.destroy();
        else endAfter(socket, response);
      }
    },
  };
}
