import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A rest up to this is read, so that the connection can be used again. */
const SHORT_BODY_BYTES = 1_048_576;
/** How long the rest of a short body may take after the answer. */
const REST_MS = 5_000;

/**
 * Sees to it that no answer leaves a connection behind on which the next request is lost: the one place for every
 * answer that is sent before its request was read, whoever sends it.
 *
 * The rest of a short body is read and thrown away. Where more would come, or of unknown length, the answer says
 * `connection: close`, and the connection is closed when the client has stopped sending. So is one whose request asked
 * for another protocol, since Node takes what follows it for that protocol.
 */
export function settleUnreadBodies(listener: RequestListener): RequestListener {
  return (request, response) => {
    // What follows on a connection after its last answer could not be answered, so it must not be done either.
    if (request.socket.writableEnded) return;
    const { headers } = request;
    if (
      headers['content-length'] !== undefined ||
      headers['transfer-encoding'] !== undefined ||
      headers.upgrade !== undefined
    ) {
      settle(request, response);
    }
    listener(request, response);
  };
}

function settle(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const { writeHead } = response;
  response.writeHead = ((...head: Parameters<ServerResponse['writeHead']>) => {
    response.writeHead = writeHead;
    if (!canGoOn(request)) response.shouldKeepAlive = false;
    // Most bodies were read to their end by now, and to hear of the end of each answer costs more than to ask.
    if (!isRead(request)) response.once('finish', () => readRest(request, socket));
    return response.writeHead(...head);
  }) as ServerResponse['writeHead'];
}

function readRest(request: IncomingMessage, socket: Socket): void {
  if (request.complete && request.readableEnded) return;
  // Whoever stopped reading it may have paused it.
  request.resume();
  if (socket.writableEnded) return;
  const timer = setTimeout(() => socket.destroy(), REST_MS).unref();
  const settled = (): void => {
    clearTimeout(timer);
    // A stream that somebody destroyed takes nothing any more, and the connection stands still with it.
    if (!request.complete) socket.destroy();
  };
  if (request.destroyed) settled();
  else request.once('close', settled);
}

function isRead({ complete, readableDidRead, readableLength }: IncomingMessage): boolean {
  return complete && readableDidRead && readableLength === 0;
}

function canGoOn({ complete, destroyed, headers }: IncomingMessage): boolean {
  if (headers.upgrade !== undefined) return false;
  if (complete) return true;
  const isShort = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SHORT_BODY_BYTES;
  return isShort && !destroyed;
}
