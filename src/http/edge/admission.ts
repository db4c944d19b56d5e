import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AreasByPath } from '../area-paths.ts';
import { type ClientAddress, clientOf } from '../client-address.ts';
import type { AnswerAtOnce } from '../direct-answer.ts';
import { isHealthCheck } from '../health.ts';
import type { ClientLimiter } from './client-limiter.ts';
import type { ConnectionBudget } from './connection-budget.ts';
import { EdgeRefusal, refuse } from './edge-refusal.ts';
import type { LoopClock } from './loop-lateness.ts';
import { refusalOfHost } from './request-head.ts';
import { canonicalTarget } from './request-target.ts';
import type { Turns } from './turns.ts';

/** Beyond this wait a request that begins work is refused, and beyond the other any that is not ready. */
const PATIENCE_WITH_WORK_MS = 1000;
const WAIT_TIMEOUT_MS = 3000;
const RETRY_SECONDS = 5;
/** With so many requests of a connection behind another, nothing more is read from it than what has been read already. */
const MAX_BEHIND = 64;
/** Requests that wait for their turn, and as many behind others; only thousands of connections get there. */
const MAX_WAITING = 20_000;
/** Of a request with its response, and of each header beside its text. Measured: 2,368 to 2,503, and up to 119. */
const [REQUEST_BYTES, HEADER_BYTES] = [2500, 120];

/**
 * What Node reads of a body at most before its request is served, outside the heap (measured: 81,919), and what all that
 * wait may hold of that.
 */
const [MAX_READ_BYTES, MAX_WAITING_BODY_BYTES] = [81_920, 67_108_864];
/** Bodies are counted anew at most once for so many requests that were served, as a share of those that wait. */
const RECOUNT_SHARE = 1 / 8;

/** A larger request may fill half of what requests may hold while they wait. */
const LARGE_REQUEST_BYTES = 8192;

const CROWDED = new EdgeRefusal(
  503,
  `The server has reached its connection limit; try again in ${RETRY_SECONDS} s`,
  RETRY_SECONDS,
);

/** What requests hold while they wait. */
interface Held {
  readonly count: number;
  /** Of the heap. */
  readonly bytes: number;
  /** Outside of it. */
  readonly bodyBytes: number;
}

const NOTHING: Held = { count: 0, bytes: 0, bodyBytes: 0 };

/** A head of 14 KB takes 17 KB in one line, and 96 KB in 1,500. */
function heldBy({ headers, rawHeaders, url = '' }: IncomingMessage): Held {
  const texts = rawHeaders.reduce((sum, { length }) => sum + length, url.length);
  const length =
    headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
  return {
    count: 1,
    bytes: REQUEST_BYTES + (rawHeaders.length / 2) * HEADER_BYTES + texts,
    bodyBytes: Math.min(length, MAX_READ_BYTES),
  };
}

function sumOf(held: Held, more: Held, sign: 1 | -1 = 1): Held {
  return {
    count: held.count + sign * more.count,
    bytes: held.bytes + sign * more.bytes,
    bodyBytes: held.bodyBytes + sign * more.bodyBytes,
  };
}

/** Small ones keep room, or a few clients with large requests would have all others closed. */
function isWithin(sum: number, bytes: number, maxBytes: number): boolean {
  return sum <= (bytes > LARGE_REQUEST_BYTES ? maxBytes / 2 : maxBytes);
}

/** The client cannot receive an answer any more: its request is not begun. */
function isOver(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded;
}

interface AdmissionParts {
  /** Answers what is ready. */
  readonly answerAtOnce: AnswerAtOnce;
  /** Answers everything, refusals included. */
  readonly route: RequestListener;
  readonly turns: Turns;
  readonly lateness: Pick<LoopClock, 'ms'>;
  /** Null: clients are not limited. */
  readonly limiter: ClientLimiter | null;
  readonly clientAddress: ClientAddress;
  readonly budget: ConnectionBudget;
  readonly areas: Pick<AreasByPath<unknown>, 'isManaged'>;
  /** What may wait for its turn, and as much behind others. */
  readonly maxBytes: number;
}

/**
 * Decides when a request is served, and whether: health at once, what is ready as long as the process breathes, the
 * rest as long as the wait is bearable, each client within its limit. Of a connection one request at a time is there
 * for others: what was sent behind it begins when it is answered, in a turn after those of the others.
 *
 * @see docs/adr/0010-admission-and-limits.md
 */
export function admitRequests(parts: AdmissionParts): RequestListener {
  const { answerAtOnce, areas, budget, clientAddress, lateness, limiter, maxBytes, route, turns } = parts;
  let waiting = NOTHING;
  const waitingRequests = new Map<IncomingMessage, Held>();
  let servedSinceRecount = Number.POSITIVE_INFINITY;
  /** Connections with requests behind others. */
  const behind = new Map<Socket, Held>();
  let allBehind = NOTHING;

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

  function hasRoomFor(held: Held): boolean {
    const { bodyBytes, bytes } = sumOf(waiting, held);
    if (turns.waiting >= MAX_WAITING || !isWithin(bytes, held.bytes, maxBytes)) return false;
    if (held.bodyBytes === 0 || isWithin(bodyBytes, held.bodyBytes, MAX_WAITING_BODY_BYTES)) return true;
    return (
      recountBodies() && isWithin(waiting.bodyBytes + held.bodyBytes, held.bodyBytes, MAX_WAITING_BODY_BYTES)
    );
  }

  /** Bodies that were announced and not sent would keep those of others out. @returns false when it was done just now. */
  function recountBodies(): boolean {
    if (servedSinceRecount < waitingRequests.size * RECOUNT_SHARE) return false;
    servedSinceRecount = 0;
    waiting = NOTHING;
    for (const [request, held] of waitingRequests) {
      const read = { ...held, bodyBytes: request.readableLength };
      waitingRequests.set(request, read);
      waiting = sumOf(waiting, read);
    }
    return true;
  }

  function wait(request: IncomingMessage, response: ServerResponse, refusal: EdgeRefusal | null): void {
    const { socket } = request;
    const held = heldBy(request);
    if (!hasRoomFor(held)) return void socket.destroy();
    waiting = sumOf(waiting, held);
    waitingRequests.set(request, held);
    turns.wait(
      (waitedMs) => {
        waiting = sumOf(waiting, waitingRequests.get(request) ?? NOTHING, -1);
        waitingRequests.delete(request);
        servedSinceRecount += 1;
        if (isOver(socket)) return true;
        return serve(request, response, refusal, waitedMs);
      },
      clientOf(clientAddress(request)),
    );
  }

  /** Waits for the answers before it; Node gives an answer its socket then. */
  function waitBehind(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const held = heldBy(request);
    add(socket, held);
    brake(socket);
    if (behind.get(socket)?.count === MAX_BEHIND) socket.pause();
    const { bodyBytes, bytes, count } = allBehind;
    if (count > MAX_WAITING || bytes > maxBytes || bodyBytes > MAX_WAITING_BODY_BYTES) dropLargest();
    let isBehind = true;
    const leave = () => {
      if (isBehind && behind.has(socket)) add(socket, held, -1);
      isBehind = false;
    };
    request.once('close', leave);
    response.once('socket', () => {
      leave();
      if (!isHealthCheck(request)) return wait(request, response, refusalOf(request));
      setImmediate(() => isOver(socket) || serve(request, response, refusalOfHost(request), 0));
    });
  }

  function add(socket: Socket, change: Held, sign: 1 | -1 = 1): void {
    const now = sumOf(behind.get(socket) ?? NOTHING, change, sign);
    allBehind = sumOf(allBehind, change, sign);
    if (now.count > 0) behind.set(socket, now);
    else behind.delete(socket);
    if (now.count === 0 && socket.isPaused()) socket.resume();
  }

  function forget(socket: Socket): void {
    const held = behind.get(socket);
    if (held !== undefined) add(socket, held, -1);
  }

  const braked = new WeakSet<Socket>();
  /** Node itself reads on after a large answer, and reports no end of what is behind a CONNECT. */
  function brake(socket: Socket): void {
    if (braked.has(socket)) return;
    braked.add(socket);
    socket.on('resume', () => {
      if ((behind.get(socket)?.count ?? 0) >= MAX_BEHIND && !isOver(socket)) socket.pause();
    });
    socket.once('close', () => forget(socket));
  }

  /** Closes the connection whose waiting requests hold most, not the one that sent the next. */
  function dropLargest(): void {
    let [largest, most]: [Socket | null, number] = [null, 0];
    for (const [socket, { bodyBytes, bytes }] of behind)
      if (bytes + bodyBytes > most) [largest, most] = [socket, bytes + bodyBytes];
    if (largest === null) return;
    forget(largest);
    largest.destroy();
  }

  return (request, response) => {
    if (response.socket === null) return waitBehind(request, response);
    if (isHealthCheck(request)) return void serve(request, response, refusalOfHost(request), 0);
    const refusal = refusalOf(request);
    if (turns.hasTime()) serve(request, response, refusal, 0);
    else wait(request, response, refusal);
  };
}
