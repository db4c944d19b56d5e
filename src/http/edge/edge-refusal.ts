import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** A request that the edge refuses before an area sees it; areas give it their own body. */
export class EdgeRefusal extends LedgerlensError {
  readonly statusCode: 400 | 417 | 429 | 503;
  /** Null where trying again would not help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    statusCode: EdgeRefusal['statusCode'],
    message: string,
    retryAfterSeconds: number | null = null,
  ) {
    super('edge_refusal', message);
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const refusals = new WeakMap<IncomingMessage, Error>();

/** Has the router answer a request with a refusal, or with the error that an answer past it met. */
export function refuse(request: IncomingMessage, refusal: Error): void {
  refusals.set(request, refusal);
}

/** The refusal that a request was given; undefined when it was not. */
export function refusalFor(request: IncomingMessage): Error | undefined {
  return refusals.get(request);
}

/** Answers what was refused before the router saw it. */
export function answerRefused(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(refusalFor(request.raw)));
}
