import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AreasByPath } from '../area-paths.ts';
import type { AnswerAtOnce } from '../direct-answer.ts';
import { type ClientAddress, clientOf } from './client-address.ts';
import type { ClientLimiter } from './client-limiter.ts';
import type { ConnectionBudget } from './connection-budget.ts';
import { EdgeRefusal, refuse } from './edge-refusal.ts';
import type { LoopLateness } from './loop-lateness.ts';
import { refusalOfHost } from './request-head.ts';
import type { Turns } from './turns.ts';

/** Beyond this wait a request that begins work is refused, and beyond the other any that is not ready. */
const PATIENCE_WITH_WORK_MS = 1000;
const PATIENCE_MS = 3000;
const RETRY_SECONDS = 5;
/** Requests of one connection that wait behind another; its next ones stay in the socket. */
const MOST_PER_CONNECTION = 64;
/** Requests that wait altogether, first ones and those behind them; only thousands of connections that all send several at once get there. */
const MOST_WAITING = 20_000;

const CROWDED = new EdgeRefusal(
  503,
  `The server has reached its connection limit; try again in ${RETRY_SECONDS} s`,
  RETRY_SECONDS,
);

/** Below it lie the health checks, which are answered before everything else. */
const HEALTH = '/health/';

interface AdmissionParts {
  /** Answers what is ready. */
  readonly answerAtOnce: AnswerAtOnce;
  /** Answers everything, refusals included. */
  readonly route: RequestListener;
  readonly turns: Turns;
  readonly lateness: LoopLateness;
  /** Null: clients are not limited. */
  readonly limiter: ClientLimiter | null;
  readonly clientAddress: ClientAddress;
  readonly budget: ConnectionBudget;
  readonly areas: Pick<AreasByPath<unknown>, 'isManaged'>;
}

/**
 * Decides when a request is served, and whether: health at once, what is ready as long as the process breathes, the
 * rest as long as the wait is bearable, each client within its limit. Of a connection one request at a time is there
 * for others: what was sent behind it begins when it is answered, in a turn after those of the others.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export function admitRequests(parts: AdmissionParts): RequestListener {
  const { answerAtOnce, areas, budget, clientAddress, lateness, limiter, route, turns } = parts;
  const behindOf = new WeakMap<Socket, number>();
  /** Requests behind others, of all connections. */
  let behind = 0;

  function refusalOf(request: IncomingMessage): EdgeRefusal | null {
    const refusal = refusalOfHost(request);
    if (refusal !== null) return refusal;
    if (budget.isCrowded(request.socket)) return CROWDED;
    if (limiter === null) return null;
    return limiter.refusalOf(clientOf(clientAddress(request)));
  }

  /** Reading continues longer than beginning work, whose result is needed less soon; operators are not kept out. */
  function refusalOfWait({ method, url = '' }: IncomingMessage, waitedMs: number): EdgeRefusal | null {
    if (waitedMs <= PATIENCE_WITH_WORK_MS && lateness.ms <= PATIENCE_WITH_WORK_MS) return null;
    const isWork = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && !areas.isManaged(url);
    if (!isWork && waitedMs <= PATIENCE_MS) return null;
    return new EdgeRefusal(503, `Server overloaded; try again in ${RETRY_SECONDS} s`, RETRY_SECONDS);
  }

  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: EdgeRefusal | null,
    waitedMs: number,
  ): boolean {
    const decided = refusal ?? refusalOfWait(request, waitedMs);
    const leave = (error: unknown) => {
      if (error !== null) refuse(request, error instanceof Error ? error : new Error(String(error)));
      route(request, response);
    };
    const answered =
      refusal === null ? answerAtOnce(request, response, { mayWait: decided === null, leave }) : null;
    if (answered !== null) return answered === 'now';
    if (decided !== null) refuse(request, decided);
    route(request, response);
    return false;
  }

  function wait(request: IncomingMessage, response: ServerResponse, refusal: EdgeRefusal | null): void {
    const { socket } = request;
    if (turns.waiting >= MOST_WAITING) return void socket.destroy();
    turns.wait((waitedMs) => {
      // Nobody reads the answer any more.
      if (socket.destroyed) return true;
      return serve(request, response, refusal, waitedMs);
    });
  }

  /** Waits for the answers before it; Node gives an answer its socket then. */
  function waitBehind(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (behind >= MOST_WAITING) return void socket.destroy();
    const count = (behindOf.get(socket) ?? 0) + 1;
    behindOf.set(socket, count);
    behind += 1;
    if (count === MOST_PER_CONNECTION) socket.pause();
    let isBehind = true;
    const leave = () => {
      if (!isBehind) return;
      isBehind = false;
      behind -= 1;
      const left = (behindOf.get(socket) ?? 1) - 1;
      behindOf.set(socket, left);
      if (left === 0 && socket.isPaused()) socket.resume();
    };
    request.once('close', leave);
    response.once('socket', () => {
      leave();
      wait(request, response, refusalOf(request));
    });
  }

  return (request, response) => {
    if (response.socket === null) return waitBehind(request, response);
    if (request.url?.startsWith(HEALTH)) return void serve(request, response, refusalOfHost(request), 0);
    const refusal = refusalOf(request);
    if (turns.hasTime()) serve(request, response, refusal, 0);
    else wait(request, response, refusal);
  };
}
