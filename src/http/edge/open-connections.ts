import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionBudget } from './connection-budget.ts';
import { newestAnswerOf } from './newest-answer.ts';

/** The connections of one server, told apart by whether a request runs on them. */
export interface OpenConnections {
  /** Connections that the server has taken so far. */
  readonly taken: number;
  /**
   * From now on: connections without a request end when none has arrived for a moment, the others after their answer.
   * May be called twice.
   */
  endWhenIdle(): void;
}

/** How long a connection without a request is listened to: one that was just sent may still be on its way. */
const LAST_REQUEST_MS = 250;
/** How long a client may take to close its side as well. */
const FAREWELL_MS = 1000;
/** How many connections, of each kind, a new one looks at for one that may end: thousands would take milliseconds. */
const MAX_LOOKS = 512;

/**
 * Follows every connection of a server of the edge, and ends those without a request where Node would reset them.
 *
 * Balancers keep connections, and open some before they need them; `Server.close` waits for both, and
 * `closeIdleConnections` leaves those on which nothing was ever sent and resets those whose request was not read yet.
 */
export function followConnections(
  server: Server,
  {
    budget = new ConnectionBudget(null),
    lastRequestMs = LAST_REQUEST_MS,
  }: { readonly budget?: ConnectionBudget; readonly lastRequestMs?: number } = {},
): OpenConnections {
  const open = new Set<Socket>();
  /** And some that had their first request since the last look. */
  const unasked = new Set<Socket>();
  let isEnding = false;
  let taken = 0;
  const endAfter = (socket: Socket, response: ServerResponse): void => {
    response.once('close', () => {
      if (newestAnswerOf(socket) !== response) return;
      // What was sent behind it may be there, and not parsed.
      if (socket.isPaused()) endUnlessAsked(socket);
      else socket.destroySoon();
    });
  };
  const isIdle = (socket: Socket): boolean => newestAnswerOf(socket)?.writableFinished ?? true;
  /** The oldest that never had a request, then as many of all, first those that were not looked at for longest. */
  function* candidates(): Iterable<Socket> {
    let left = MAX_LOOKS;
    for (const socket of unasked) {
      if (left === 0) break;
      if (newestAnswerOf(socket) !== undefined) {
        unasked.delete(socket);
        continue;
      }
      left -= 1;
      yield socket;
    }
    left = Math.min(open.size, MAX_LOOKS);
    // An iterator that is kept for the next search would keep what has closed since.
    for (const socket of open) {
      if (left === 0) break;
      left -= 1;
      open.delete(socket);
      open.add(socket);
      yield socket;
    }
  }
  const forget = (socket: Socket): void => {
    open.delete(socket);
    unasked.delete(socket);
  };
  /** Its place is needed now, so it is not listened to any longer. */
  const endIdle = (mayEnd: (socket: Socket) => boolean, among?: Iterable<Socket>): Socket | null => {
    for (const socket of among ?? candidates()) {
      if (!open.has(socket) || !isIdle(socket) || !mayEnd(socket)) continue;
      forget(socket.destroy());
      return socket;
    }
    return null;
  };
  const endUnlessAsked = (socket: Socket): void => {
    const before = newestAnswerOf(socket);
    const unlessUnread = (then: () => void) => () => {
      if (!open.has(socket) || newestAnswerOf(socket) !== before) return;
      if (socket.isPaused()) endUnlessAsked(socket);
      else then();
    };
    const end = unlessUnread(() => bidFarewell(socket));
    // Timers come before reading, and a paused one may have begun to be read just now: whatever has arrived comes first.
    setTimeout(() => setImmediate(unlessUnread(() => setImmediate(end))), lastRequestMs);
  };
  const endWhenIdle = (): void => {
    if (isEnding) return;
    isEnding = true;
    for (const socket of open) {
      const response = newestAnswerOf(socket);
      if (response === undefined || response.writableFinished) endUnlessAsked(socket);
      else endAfter(socket, response);
    }
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) =>
      endAfter(socket, response),
    );
  };
  server.on('connection', (socket: Socket) => {
    taken += 1;
    if (!budget.take(socket, endIdle)) return;
    open.add(socket);
    unasked.add(socket);
    socket.once('close', () => forget(socket));
    if (isEnding) endUnlessAsked(socket);
  });
  // `Server.close` calls it.
  server.closeIdleConnections = endWhenIdle;
  return {
    endWhenIdle,
    get taken() {
      return taken;
    },
  };
}

/** Says that nothing more comes; what the client still sends is read, so that it is not reset. */
function bidFarewell(socket: Socket): void {
  if (socket.destroyed) return;
  socket.end();
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
