import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { cannotListen } from './cannot-listen.ts';
import { answerClientError } from './client-error.ts';
import { ConnectionBudget } from './connection-budget.ts';
import { createEdgeServer, unsentAnswersOf } from './edge-server.ts';
import type { TakenPorts } from './take-ports.ts';

/** Where an application listens. */
export interface Listeners {
  /** The ports in the order asked for; a 0 has become the port that the system chose. */
  readonly ports: readonly number[];
  /** Connections accepted so far. */
  readonly taken: number;
  /** Stops accepting, finishes the running requests, then closes the application. */
  close(): Promise<void>;
}

/**
 * Listens on one or several ports with one application.
 *
 * On localhost the ledger SDKs use fixed ports, so one server answers on all of them (client-needs.md 4.5).
 *
 * @throws LedgerlensError `cannot_listen` naming the port, when it is taken or not allowed; nothing listens then.
 */
export async function listen(
  app: FastifyInstance,
  options: {
    readonly host: string;
    readonly ports: readonly number[];
    /** Absent: no bound. */
    readonly budget?: ConnectionBudget;
    /** Ports that are held for the application. Absent: none. */
    readonly taken?: TakenPorts;
  },
): Promise<Listeners> {
  const [first = 0, ...others] = options.ports;
  const servers: Server[] = [];
  const { budget = new ConnectionBudget(null) } = options;
  const connections = [followConnections(app.server, { budget })];
  const close = async (): Promise<void> => {
    await takeWaiting(connections);
    for (const each of connections) each.endWhenIdle();
    await Promise.all(servers.map(closeServer));
    await app.close();
  };
  try {
    await app.ready();
    await options.taken?.release(first);
    await cannotListen(first, () => app.listen({ host: options.host, port: first }));
    for (const port of others) {
      await options.taken?.release(port);
      const server = await cannotListen(port, () => listenAlso(app, options.host, port));
      servers.push(server);
      connections.push(followConnections(server, { budget }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  for (const server of [app.server, ...servers])
    server.on('error', (err) => app.log.warn({ err }, NOT_TAKEN));
  return {
    ports: [app.server, ...servers].map((server) => (server.address() as AddressInfo).port),
    get taken() {
      return taken(connections);
    },
    close,
  };
}

/** The system closes the connection; nothing else suffers. */
const NOT_TAKEN = 'a connection could not be accepted';

function listenAlso(app: FastifyInstance, host: string, port: number): Promise<Server> {
  // The one that the first server was made with.
  const [answer] = app.server.listeners('request');
  const server = createEdgeServer(answer as RequestListener, app.server, unsentAnswersOf(app.server));
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve(server);
    });
  });
}

/** As many as the system keeps for a server: what comes later was not waiting when the stop began. */
const MAX_WAITING = 511;
/** On a machine that is too busy for that. */
const MAX_TAKE_MS = 5000;

/**
 * Takes the connections that clients already have, which the system would reset when the server stops listening.
 *
 * A turn of the event loop takes one of them for each server.
 */
async function takeWaiting(connections: readonly OpenConnections[]): Promise<void> {
  const until = performance.now() + MAX_TAKE_MS;
  let quietTurns = 0;
  for (let turn = 0; turn < MAX_WAITING && quietTurns < 2 && performance.now() < until; turn++) {
    const before = taken(connections);
    await setImmediate();
    quietTurns = taken(connections) === before ? quietTurns + 1 : 0;
  }
}

function taken(connections: readonly OpenConnections[]): number {
  return connections.reduce((sum, each) => sum + each.taken, 0);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** The connections of one server, told apart by whether a request runs on them. */
interface OpenConnections {
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
  /** The oldest connection without a request: one that never had any before one that a client keeps. */
  const oldestIdle = (): Socket | null => {
    for (const socket of unasked) return socket;
    for (const [socket, response] of newest) if (isIdle(response)) return socket;
    return null;
  };
  const forget = (socket: Socket): void => {
    newest.delete(socket);
    unasked.delete(socket);
  };
  /** Its place is needed now, so it is not listened to any longer. */
  const endIdle = (): Socket | null => {
    const socket = oldestIdle();
    if (socket !== null) forget(socket.destroy());
    return socket;
  };
  const endUnlessAsked = (socket: Socket): void => {
    const before = newest.get(socket);
    const end = (): void => {
      if (newest.get(socket) === before) bidFarewell(socket);
    };
    // Timers come before reading: whatever has arrived by then must be read first.
    setTimeout(() => setImmediate(end), lastRequestMs);
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
