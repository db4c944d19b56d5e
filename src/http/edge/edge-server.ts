import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
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

/** The newest answer of each connection; answers end in the order of their requests. */
const newestAnswers = new WeakMap<Duplex, ServerResponse>();

/** Does something when nothing is left to be answered on a connection: bytes in between would be taken for an answer. */
export function afterAnswers(socket: Duplex, then: () => void): void {
  const newest = newestAnswers.get(socket);
  const isNothingDue = newest === undefined || newest.writableFinished || newest.destroyed;
  if (isNothingDue) then();
  else if (newest.req.complete || newest.headersSent) newest.once('close', then);
  // A request whose own body is broken is never answered: it waits for the rest of it.
  else if (newest.socket === null) newest.once('socket', then);
  else then();
}

const unsentAnswers = new WeakMap<Server, UnsentAnswers>();

/** What counts the unsent answers of a server; another port of the same application counts there too. */
export function unsentAnswersOf(server: Server): UnsentAnswers | undefined {
  return unsentAnswers.get(server);
}

/** Makes the server of one port; every port of an application has one like it. */
export function createEdgeServer(
  listener: RequestListener,
  times: EdgeServerTimes,
  unsent = new UnsentAnswers(),
): Server {
  // Node would refuse a missing Host without a body.
  const server = createServer({ requireHostHeader: false, ServerResponse: watchedAnswers(unsent) });
  unsentAnswers.set(server, unsent);
  // Node calls it after the last answer of a connection, and would close while requests behind it are unread.
  server.on('connection', (socket) => {
    socket.destroySoon = () => closeAfterReading(socket);
  });
  server.on('request', (request, response) => {
    newestAnswers.set(request.socket, response);
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
