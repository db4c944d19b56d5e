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
  /** Lets requests wait from now on. */
  hold(): Held;
}

interface Held {
  /** Resolves when those that came before are answered. */
  readonly idle: Promise<void>;
  /** Sends those that wait to the application. */
  release(): void;
}

/** Who answers, and how many requests have no answer yet. */
interface Turn {
  readonly answer: RequestListener;
  /** Without those that control the server: they wait for what is done here. */
  clients: number;
  running: number;
  whenIdle: () => void;
  whenAlone: () => void;
}

/** Requests wait until there is an application. */
export function createExchangeableListener(parts: {
  readonly times: EdgeServerTimes;
  readonly unsent: UnsentAnswers;
  readonly log: Logger;
  /** Whether a request is none of a client. */
  readonly isControl: (request: IncomingMessage) => boolean;
}): ExchangeableListener {
  let current: Turn | null = null;
  let waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const turn = current;
    if (turn === null) {
      waiting.push([request, response]);
      return;
    }
    const client = parts.isControl(request) ? 0 : 1;
    turn.running += 1;
    turn.clients += client;
    response.once('close', () => {
      turn.running -= 1;
      turn.clients -= client;
      if (turn.running === 0) turn.whenIdle();
      if (turn.clients === 0) turn.whenAlone();
    });
    turn.answer(request, response);
  };
  const passWaiting = (): void => {
    const held = waiting;
    waiting = [];
    for (const [request, response] of held) pass(request, response);
  };
  const app = Fastify({
    serverFactory: () => createEdgeServer(pass, parts.times, { unsent: parts.unsent }),
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
      current = { answer, clients: 0, running: 0, whenIdle: () => undefined, whenAlone: () => undefined };
      passWaiting();
      if (before === null || before.running === 0) return;
      await new Promise<void>((resolve) => {
        before.whenIdle = resolve;
      });
    },
    hold() {
      const turn = current;
      current = null;
      const idle =
        turn === null || turn.clients === 0
          ? Promise.resolve()
          : new Promise<void>((resolve) => {
              turn.whenAlone = resolve;
            });
      return {
        idle,
        release() {
          current = turn;
          passWaiting();
        },
      };
    },
  };
}
