import { createServer, type RequestListener, type Server } from 'node:http';
import { refuse } from './edge-refusal.ts';
import { refusalOfExpectation } from './request-head.ts';

/** How long connections and requests may take, as Node names them. */
export interface EdgeServerTimes {
  /** Of a connection between two requests. */
  readonly keepAliveTimeout: number;
  /** Of the receipt of one request. */
  readonly requestTimeout: number;
}

/** Makes the server of one port; every port of an application has one like it. */
export function createEdgeServer(listener: RequestListener, times: EdgeServerTimes): Server {
  // Node would refuse a missing Host without a body.
  const server = createServer({ requireHostHeader: false }, listener);
  // And likewise an expectation that it does not know.
  server.on('checkExpectation', (request, response) => {
    refuse(request, refusalOfExpectation(request));
    listener(request, response);
  });
  // To an answer that waits behind another one Node would add it between head and body, or after them.
  server.on('checkContinue', (request, response) => {
    const sayContinue = () => {
      if (!response.headersSent) response.writeContinue();
    };
    if (response.socket === null) response.once('socket', sayContinue);
    else sayContinue();
    listener(request, response);
  });
  const { keepAliveTimeout, requestTimeout } = times;
  return Object.assign(server, { keepAliveTimeout, requestTimeout });
}
