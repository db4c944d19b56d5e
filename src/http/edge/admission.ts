import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AreasByPath } from '../area-paths.ts';
import { type ClientAddress, clientOf } from '../client-address.ts';
import type { AnswerAtOnce } from '../direct-answer.ts';
import { isHealthCheck } from '../health.ts';
import type { Arrivals } from './arrivals.ts';
import type { ClientLimiter } from './client-limiter.ts';
import type { ConnectionBudget } from './connection-budget.ts';
import { EdgeRefusal, refuse } from './edge-refusal.ts';
import { type HeldBody, holdBody } from './held-body.ts';
import type { LoopClock } from './loop-lateness.ts';
import { isOver } from './newest-answer.ts';
import { refusalOfHost } from './request-head.ts';
import { canonicalTarget } from './request-target.ts';
import type { Turns } from './turns.ts';
import type { WaitingRoom } from './waiting-room.ts';

/** Beyond this wait a request that begins work is refused, and beyond the other any that is not ready. */
const PATIENCE_WITH_WORK_MS = 1000;
const WAIT_TIMEOUT_MS = 3000;
const RETRY_SECONDS = 5;
/** With so many requests of a connection behind another, nothing more is read from it than what has been read already. */
const MAX_BEHIND = 64;
const CROWDED = new EdgeRefusal(
  503,
  `The server has reached its connection limit; try again in ${RETRY_SECONDS} s`,
  RETRY_SECONDS,
);

interface AdmissionParts {
  /** Answers what is ready. */
  readonly answerAtOnce: AnswerAtOnce;
  /** Answers everything, refusals included. */
  readonly route: RequestListener;
  readonly turns: Turns;
  readonly arrivals: Pick<Arrivals, 'hasRead'>;
  readonly lateness: Pick<LoopClock, 'ms'>;
  /** Null: clients are not limited. */
  readonly limiter: ClientLimiter | null;
  readonly clientAddress: ClientAddress;
  readonly budget: ConnectionBudget;
  readonly areas: Pick<AreasByPath<unknown>, 'isManaged'>;
  /** For what waits for its turn, and for what is behind others of its connection. */
  readonly rooms: Readonly<Record<'waiting' | 'behind', WaitingRoom>>;
}

/**
 * Decides when a request is served, and whether: health at once, what is ready as long as the process breathes, the
 * rest as long as the wait is bearable, each client within its limit. Of a connection one request at a time is there
 * for others: what was sent behind it begins when it is answered, in a turn after those of the others.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export function admitRequests(parts: AdmissionParts): RequestListener {
  const { answerAtOnce, areas, arrivals, budget, clientAddress, lateness, limiter, route, turns } = parts;
  const { waiting, behind } = parts.rooms;
  /** Connections that are not read, and those on which that was so. */
  const [heldBack, braked] = [new WeakSet<Socket>(), new WeakSet<Socket>()];

  function refusalOf(request: IncomingMessage): EdgeRefusal | null {
    const refusal = refusalOfHost(request) ?? limiter?.refusalOf(clientOf(clientAddress(request))) ?? null;
    if (refusal !== null) return refusal;
    // Last, as a connection of another client may end for it.
    return budget.isCrowded(request.socket) ? CROWDED : null;
  }

  /** Reading continues longer than beginning work, whose result is needed less soon; operators are not kept out. */
  function refusalOfWait({ method, url = '' }: IncomingMessage, waitedMs: number): EdgeRefusal | null {
    if (waitedMs <= PATIENCE_WITH_WORK_MS && lateness.ms <= PATIENCE_WITH_WORK_MS) return null;
    const isReading = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const isWork = !isReading && !areas.isManaged(canonicalTarget(url));
    if (!isWork && waitedMs <= WAIT_TIMEOUT_MS) return null;
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

  function wait(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: EdgeRefusal | null,
    body = holdBody(request),
  ): void {
    const { socket } = request;
    const client = clientOf(clientAddress(request));
    if (!takeInto(waiting, request, client, body)) return;
    const withdraw = turns.wait((waitedMs) => {
      socket.off('close', withdraw);
      waiting.leave(request);
      if (isOver(socket)) return true;
      body?.release();
      return serve(request, response, refusal, waitedMs);
    }, client);
    socket.once('close', withdraw);
  }

  /** Waits for the answers before it; Node gives an answer its socket then. */
  function waitBehind(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const body = holdBody(request);
    const client = behind.clientOf(socket) ?? clientOf(clientAddress(request));
    if (!takeInto(behind, request, client, body)) return;
    if (behind.of(socket) === MAX_BEHIND) holdBack(socket);
    const leave = () => {
      behind.leave(request);
      if (behind.of(socket) === 0 && heldBack.delete(socket)) socket.resume();
    };
    request.once('close', leave);
    response.once('socket', () => {
      leave();
      if (!isHealthCheck(request)) return wait(request, response, refusalOf(request), body);
      body?.release();
      setImmediate(() => isOver(socket) || serve(request, response, refusalOfHost(request), 0));
    });
  }

  /** @returns whether it has a place; otherwise its connection was closed. */
  function takeInto(
    room: WaitingRoom,
    request: IncomingMessage,
    client: string,
    body: HeldBody | null,
  ): boolean {
    if (body === null) return room.take(request, client, body);
    const take = () => {
      const isTaken = room.take(request, client, body);
      if (!isTaken) body.drop();
      return isTaken;
    };
    body.grew = take;
    return take();
  }

  function holdBack(socket: Socket): void {
    socket.pause();
    heldBack.add(socket);
    if (braked.has(socket)) return;
    braked.add(socket);
    // Node itself reads on after a large answer.
    socket.on('resume', () => {
      if (heldBack.has(socket) && !isOver(socket)) socket.pause();
    });
  }

  return (request, response) => {
    if (response.socket === null) {
      arrivals.hasRead(request.socket, true);
      return waitBehind(request, response);
    }
    if (isHealthCheck(request)) return void serve(request, response, refusalOfHost(request), 0);
    const refusal = refusalOf(request);
    if (turns.hasTime()) return void serve(request, response, refusal, 0);
    arrivals.hasRead(request.socket);
    wait(request, response, refusal);
  };
}
