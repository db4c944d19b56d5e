import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { RequestObservers } from '../metrics.ts';
import { type Duties, dutyHeaders } from './answer-duties.ts';
import type { HeaderLines } from './header-lines.ts';
import { requestId } from './request-id.ts';

/** An answer that is ready when its request arrives; the edge adds its own headers. */
export interface DirectAnswer {
  readonly statusCode: 200 | 304 | 503;
  /** Pattern of the route, for metrics. */
  readonly route: string;
  readonly headers: HeaderLines;
  /** Null for 304. */
  readonly body: Buffer | null;
  /** Called when the socket has taken the whole body. */
  readonly sent?: () => void;
}

/**
 * Answers a GET request at once, or null to leave it to the router: for everything but the usual success.
 *
 * It must answer as the route does, header by header. What it throws is thrown again, and answered, by the route.
 *
 * @param target path and query as sent.
 */
export type AnswerDirectly = (target: string, headers: IncomingHttpHeaders) => DirectAnswer | null;

/** Answers a request if that needs no router. @returns whether it did. */
export type AnswerAtOnce = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves what is ready before the router and its hooks, which take longer than the answer itself.
 *
 * @see docs/adr/0020-pages-between-storage-and-socket.md
 */
export function answerAtOnce(
  answerers: readonly AnswerDirectly[],
  duties: Duties & { readonly observers: RequestObservers },
): AnswerAtOnce {
  const answerOf = (target: string, headers: IncomingHttpHeaders): DirectAnswer | null => {
    try {
      for (const answer of answerers) {
        const found = answer(target, headers);
        if (found !== null) return found;
      }
    } catch {
      // The route meets the same error and answers it.
    }
    return null;
  };
  return (request, response) => {
    // Finding the answer is most of the time that is counted.
    const start = performance.now();
    const { headers, method, url } = request;
    if (method !== 'GET' || url === undefined || !isBare(headers)) return false;
    const answer = answerOf(url, headers);
    if (answer === null) return false;
    const { body, route: pattern, sent, statusCode } = answer;
    const lines = [...answer.headers, ...dutyHeaders(url, requestId(request), duties)];
    if (body !== null) lines.push('content-length', String(body.length));
    response.writeHead(statusCode, lines);
    response.end(body);
    const finish = (): void => {
      sent?.();
      duties.observers(pattern)('GET', statusCode, performance.now() - start);
    };
    // Usually the system has all of it by now; to hear so by an event costs more than to ask.
    if (response.writableLength === 0) finish();
    else response.once('finish', finish);
    return true;
  };
}

/** Without a body, and without an expectation, which may have been refused. */
function isBare(headers: IncomingHttpHeaders): boolean {
  return (
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  );
}
