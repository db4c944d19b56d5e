import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { MaybePromise } from '../values/map-maybe.ts';
import type { HeaderLines } from './header-lines.ts';

/** An answer that needs no router; the edge adds its own headers. */
export interface DirectAnswer {
  readonly statusCode: 200 | 304 | 503;
  /** Pattern of the route, for metrics. */
  readonly route: string;
  readonly headers: HeaderLines;
  /**
   * Gives the bytes when they are sent, not before: answers that are found together are printed one after the other.
   * Null for 304. What it throws is answered by the router. In a text each character (latin1) is a byte.
   */
  readonly body: (() => Buffer | string) | null;
}

/**
 * Answers a GET request at once, or null to leave it to the router: for everything but the usual success.
 *
 * It must answer as the route does, header by header. What it throws is thrown again, and answered, by the route; with
 * what it rejects later the router answers.
 *
 * @param target path and query as sent.
 */
export type AnswerDirectly = (
  target: string,
  headers: IncomingHttpHeaders,
) => MaybePromise<DirectAnswer | null>;

/** What becomes of an answer that is not ready. */
export interface LateAnswers {
  /** Whether the request may wait for it. */
  readonly mayWait: boolean;
  /** Has the router answer; with the error that came instead, unless that is null. */
  readonly leave: (error: unknown) => void;
}

/**
 * Answers a request if that needs no router: now, or later, as soon as the database has answered. Null: it does not.
 */
export type AnswerAtOnce = (
  request: IncomingMessage,
  response: ServerResponse,
  late: LateAnswers,
) => 'now' | 'later' | null;
