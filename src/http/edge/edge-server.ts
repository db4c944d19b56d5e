import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Arrivals } from './arrivals.ts';
import { refuse } from './edge-refusal.ts';
import { closeAfterReading } from './lingering-close.ts';
import { rememberAnswer } from './newest-answer.ts';
import { refusalOfExpectation } from './request-head.ts';
import { UnsentAnswers, watchedAnswers } from './unsent-answers.ts';

/** Of one kind on a connection: what counts, bounds and times it follows it, each by one. */
const MAX_LISTENERS = 20;

/** How long connections and requests may take, as Node names them. */
export interface EdgeServerTimes {
  /** Of a connection between two requests. */
  readonly keepAliveTimeout: number;
  /** Of the receipt of one request. */
  readonly requestTimeout: number;
}

/**
 * Where a connection closes, Node makes an error for each request on it that is not answered; to trace the calls in each
 * takes longer than all else, and they are the same.
 */
function abortWithoutTraces(socket: Socket): void {
  let limit = 0;
  // Node's own listener is there already.
  socket.prependOnceListener('close', () => {
    limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = limit;
  });
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
    socket.setMaxListeners(MAX_LISTENERS);
    socket.destroySoon = () => closeAfterReading(socket);
    abortWithoutTraces(socket);
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
