import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Arrivals } from './arrivals.ts';
import { refuse } from './edge-refusal.ts';
import { closeAfterReading } from './lingering-close.ts';
import { refusalOfExpectation } from './request-head.ts';
import { UnsentAnswers, watchedAnswers } from './unsent-answers.ts';

/** How long connections and requests may take, as Node names them. */
export interface EdgeServerTimes {
  /** Of a connection between two requests. */
  readonly keepAliveTimeout: number;
  /** Of the receipt of one request. */
  readonly requestTimeout: number;
}

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

/** What the ports of an application share. */
interface EdgeParts {
  readonly unsent: UnsentAnswers;
  /** Absent: connections are read as they come. */
  readonly arrivals?: Arrivals;
}

const edgeParts = new WeakMap<Server, EdgeParts>();

/** What another port of the same application is to be made with. */
export function edgePartsOf(server: Server): EdgeParts | undefined {
  return edgeParts.get(server);
}

/** Makes the server of one port; every port of an application has one like it. */
export function createEdgeServer(
  listener: RequestListener,
  times: EdgeServerTimes,
  parts: EdgeParts = { unsent: new UnsentAnswers() },
): Server {
  // Node would refuse a missing Host without a body.
  const server = createServer({ requireHostHeader: false, ServerResponse: watchedAnswers(parts.unsent) });
  edgeParts.set(server, parts);
  // Node calls it after the last answer of a connection, and would close while requests behind it are unread.
  server.on('connection', (socket) => {
    socket.destroySoon = () => closeAfterReading(socket);
    parts.arrivals?.take(socket);
  });
  server.on('request', (request, response) => {
    rememberAnswer(request.socket, response);
    listener(request, response);
  });
  // And likewise an expectation that it does not know.
  server.on('checkExpectation', (request, response) => {
    refuse(request, refusalOfExpectation(request));
    server.emit('request', request, response);
  });
  // To an answer that waits behind another one Node would add it between head and body, or after them.
  server.on('checkContinue', (request, response) => {
    const sayContinue = () => {
      if (!response.headersSent) response.writeContinue();
    };
    if (response.socket === null) response.once('socket', sayContinue);
    else sayContinue();
    server.emit('request', request, response);
  });
  const { keepAliveTimeout, requestTimeout } = times;
  return Object.assign(server, { keepAliveTimeout, requestTimeout });
}
