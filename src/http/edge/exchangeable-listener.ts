import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { answerClientError } from './client-error.ts';
import { createEdgeServer, type EdgeServerTimes } from './edge-server.ts';
import { quietAtStart } from './quiet-at-start.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

/** Ports whose application can be exchanged while clients stay connected. */
export interface ExchangeableListener {
  /** To listen with and to close; it answers nothing itself. */
  readonly app: FastifyInstance;
  /**
   * Sends requests to another application from now on; those that wait for the first one go there too.
   *
   * @returns resolves when the one before has answered its last request.
   */
  exchange(answer: RequestListener): Promise<void>;
}

/** Who answers, and how many requests have no answer yet. */
interface Turn {
  readonly answer: RequestListener;
  running: number;
  whenIdle: () => void;
}

/** Requests wait until there is an application. */
export function createExchangeableListener(parts: {
  readonly times: EdgeServerTimes;
  readonly unsent: UnsentAnswers;
  readonly log: Logger;
}): ExchangeableListener {
  let current: Turn | null = null;
  let waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const turn = current;
    if (turn === null) {
      waiting.push([request, response]);
      return;
    }
    turn.running += 1;
    response.once('close', () => {
      turn.running -= 1;
      if (turn.running === 0) turn.whenIdle();
    });
    turn.answer(request, response);
  };
  const app = Fastify({
    serverFactory: () => createEdgeServer(pass, parts.times, parts.unsent),
    loggerInstance: quietAtStart(parts.log),
    ...parts.times,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error, socket as never),
  });
  return {
    app,
    async exchange(answer) {
      const before = current;
      current = { answer, running: 0, whenIdle: () => undefined };
      const held = waiting;
      waiting = [];
      for (const [request, response] of held) pass(request, response);
      if (before === null || before.running === 0) return;
      await new Promise<void>((resolve) => {
        before.whenIdle = resolve;
      });
    },
  };
}
