import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Awaitable } from '../values/and-then.ts';
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
 * It must answer as the route does, header by header. What it throws, at once or later, is thrown again, and answered,
 * by the route.
 *
 * @param target path and query as sent.
 */
export type AnswerDirectly = (target: string, headers: IncomingHttpHeaders) => Awaitable<DirectAnswer> | null;

/**
 * Answers a request if that needs no router.
 *
 * @param otherwise has the router answer when what it waited for failed.
 * @returns whether it did, or will as soon as the database has answered.
 */
export type AnswerAtOnce = (
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: () => void,
) => boolean;
