import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderLines } from './header-lines.ts';
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
