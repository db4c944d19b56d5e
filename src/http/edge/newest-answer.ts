import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const NEWEST = Symbol('newest answer');
/** A member of the connection: a table of them would cost each request more. */
type Asked = Duplex & { [NEWEST]?: ServerResponse };

/** To be called with each request that a connection has. */
export function rememberAnswer(socket: Duplex, response: ServerResponse): void {
  (socket as Asked)[NEWEST] = response;
}

/**
 * The answer to the newest request of a connection, which tells of all: they end in the order of their requests.
 * Undefined: it never had one.
 */
export function newestAnswerOf(socket: Duplex): ServerResponse | undefined {
  return (socket as Asked)[NEWEST];
}

/** Whether no further answer can be sent on a connection; what comes on it is not parsed any more. */
export function isOver(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded;
}

/** Does something when nothing is left to be answered on a connection: bytes in between would be taken for an answer. */
export function afterAnswers(socket: Duplex, then: () => void): void {
  const newest = newestAnswerOf(socket);
  const isNothingDue = newest === undefined || newest.writableFinished || newest.destroyed;
  if (isNothingDue) then();
  else if (newest.req.complete || newest.headersSent) newest.once('close', then);
  // A request whose own body is broken is never answered: it waits for the rest of it.
  else if (newest.socket === null) newest.once('socket', then);
  else then();
}
