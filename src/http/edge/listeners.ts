import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { cannotListen } from './cannot-listen.ts';
import { answerClientError } from './client-error.ts';
import { ConnectionBudget } from './connection-budget.ts';
import { createEdgeServer, edgePartsOf } from './edge-server.ts';
import { followConnections, type OpenConnections } from './open-connections.ts';
import type { TakenPorts } from './take-ports.ts';

/**
 * Connections that the system keeps until they are taken, or as many as it is configured to keep; beyond that clients
 * try again, after a second.
 */
const MAX_WAITING = 4096;

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
    /** How long idle connections are listened to when it closes. */
    readonly lastRequestMs?: number;
  },
): Promise<Listeners> {
  const [first = 0, ...others] = options.ports;
  const servers: Server[] = [];
  const { budget = new ConnectionBudget(null), lastRequestMs } = options;
  const follow = (server: Server) =>
    followConnections(server, { budget, ...(lastRequestMs === undefined ? {} : { lastRequestMs }) });
  const connections = [follow(app.server)];
  const close = async (): Promise<void> => {
    await takeWaiting(connections);
    for (const each of connections) each.endWhenIdle();
    await Promise.all(servers.map(closeServer));
    await app.close();
  };
  try {
    await app.ready();
    await options.taken?.release(first);
    await cannotListen(first, () => app.listen({ host: options.host, port: first, backlog: MAX_WAITING }));
    for (const port of others) {
      await options.taken?.release(port);
      const server = await cannotListen(port, () => listenAlso(app, options.host, port));
      servers.push(server);
      connections.push(follow(server));
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
  const server = createEdgeServer(answer as RequestListener, app.server, edgePartsOf(app.server));
  server.on('clientError', (error, socket) => answerClientError(error, socket as Socket));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, MAX_WAITING, () => {
      server.removeListener('error', reject);
      resolve(server);
    });
  });
}

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
