import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionBudget } from './connection-budget.ts';

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
 * Follows every connection of a server, and ends those without a request where Node would reset them.
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
  // Answers of a connection end in the order of their requests, so the newest tells of all; a listener for
  // each would cost more than some answers do.
  const newest = new Map<Socket, ServerResponse | null>();
  const unasked = new Set<Socket>();
  let isEnding = false;
  let taken = 0;
  const endAfter = (socket: Socket, response: ServerResponse): void => {
    response.once('close', () => {
      if (newest.get(socket) === response) socket.destroySoon();
    });
  };
  const isIdle = (response: ServerResponse | null): boolean => response === null || response.writableFinished;
  let rest = newest.keys();
  /** The oldest that never had a request, then as many of all, from where the last search ended. */
  function* candidates(): Iterable<Socket> {
    let left = MAX_LOOKS;
    for (const socket of unasked) {
      if (left === 0) break;
      left -= 1;
      yield socket;
    }
    for (left = Math.min(newest.size, MAX_LOOKS); left > 0; left -= 1) {
      let next = rest.next();
      if (next.done) {
        rest = newest.keys();
        next = rest.next();
      }
      if (!next.done) yield next.value;
    }
  }
  const forget = (socket: Socket): void => {
    newest.delete(socket);
    unasked.delete(socket);
  };
  /** Its place is needed now, so it is not listened to any longer. */
  const endIdle = (mayEnd: (socket: Socket) => boolean, among?: Iterable<Socket>): Socket | null => {
    for (const socket of among ?? candidates()) {
      const response = newest.get(socket);
      if (response === undefined || !isIdle(response) || !mayEnd(socket)) continue;
      forget(socket.destroy());
      return socket;
    }
    return null;
  };
  const endUnlessAsked = (socket: Socket): void => {
    const before = newest.get(socket);
    const unlessUnread = (then: () => void) => () => {
      if (newest.get(socket) !== before) return;
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
    for (const [socket, response] of newest) {
      if (isIdle(response)) endUnlessAsked(socket);
      else if (response !== null) endAfter(socket, response);
    }
  };
  server.on('connection', (socket: Socket) => {
    taken += 1;
    if (!budget.take(socket, endIdle)) return;
    newest.set(socket, null);
    unasked.add(socket);
    socket.once('close', () => forget(socket));
    if (isEnding) endUnlessAsked(socket);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    newest.set(socket, response);
    unasked.delete(socket);
    if (isEnding) endAfter(socket, response);
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
