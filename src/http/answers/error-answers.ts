import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isStorageError } from '../../values/storage-errors.ts';
import type { ErrorAnswer, ErrorMapper } from '../area.ts';
import { type BodyIntake, createBodyIntake } from '../bodies/body-intake.ts';
import { EdgeRefusal } from '../edge/edge-refusal.ts';
import { carriesUnreadJson, faultOfJson } from '../edge/unread-json.ts';
import type { KnownRoutes } from '../known-routes.ts';
import { addDuties, type Duties } from './common-headers.ts';

/** Answers a client that wants no JSON for an unknown address, or returns null. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** The same for a malformed address, with the status that the area gives to it. */
export type AnswerMalformed = (request: FastifyRequest, reply: FastifyReply, statusCode: number) => unknown;

/** The mapper of the area whose clients read the answer to a request. */
type MapperOf = (target: string) => ErrorMapper;

/** For bodies that are only looked at. */
const UNREAD_BODY_MEMORY_MIB = 4;

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends every error in the body of the area that the path belongs to, as JSON; only browsers get a page for an unknown address.
 *
 * Unknown paths are answered before their body is read, so an odd content type is still a 404.
 *
 * @see contracts/client-needs.md section 2, rules 2 and 10
 */
export function answerErrors(
  app: FastifyInstance,
  mapperOf: MapperOf,
  routes: KnownRoutes,
  answerUnknown: AnswerUnknown = () => null,
): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = withRetryAfter(error, mapperOf(request.url).fromError(error, request));
    // The one place that logs a fault: the body's error id, if the area has one, leads from a report to this line.
    const told = { reqId: request.id, answer: answer.body };
    // A storage that takes no writes is told where it is noticed, once instead of with each request.
    const isTold = isStorageError(error)
      ? error.isTold
      : asksToComeAgain(answer) && error.cause === undefined;
    // By design: what is not built is no fault of the server.
    if (answer.statusCode === 501) request.log.info(told, 'request not supported');
    else if (answer.statusCode >= 500 && !isTold)
      request.log.error({ ...told, err: error }, 'request failed');
    else request.log.debug(told, 'request refused');
    return send(reply, answer);
  });
  const bodies = createBodyIntake(UNREAD_BODY_MEMORY_MIB);
  app.setNotFoundHandler((request, reply) => send(reply, unknownRoute(request, mapperOf, routes)));
  app.addHook('onRequest', (request, reply, done) => {
    const go = (refusal: ErrorAnswer | null) => {
      const answer = refusal ?? (request.is404 ? unknownRoute(request, mapperOf, routes) : null);
      if (answer === null) done();
      else if (answer.statusCode !== 404 || answerUnknown(request, reply) === null) send(reply, answer);
    };
    // Decided by one header, since hardly any request for a document carries a body.
    if (request.headers['content-type'] === undefined) go(null);
    else refusalOfBody(request, mapperOf, routes, bodies).then(go, done);
  });
}

/** Answers a URL that cannot even be routed, such as one with a broken percent escape; browsers may get a page. */
export function answerUnroutable(
  mapperOf: MapperOf,
  duties: Duties,
  answerMalformed: AnswerMalformed = () => null,
) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    addDuties(request, reply, duties);
    const answer = mapperOf(request.url).fromError(error, request);
    if (answerMalformed(request, reply, answer.statusCode) === null) send(reply, answer);
  };
}

/** Areas need not know when the edge has room again. */
function withRetryAfter(error: Error, answer: ErrorAnswer): ErrorAnswer {
  if (!(error instanceof EdgeRefusal) || error.retryAfterSeconds === null) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(error.retryAfterSeconds) } };
}

/** Such a refusal is meant, unless an error caused it: metrics count it, and a line for each would be a load of its own. */
export function asksToComeAgain({ headers = {} }: ErrorAnswer): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'retry-after');
}

function unknownRoute(request: FastifyRequest, mapperOf: MapperOf, routes: KnownRoutes): ErrorAnswer {
  const mapper = mapperOf(request.url);
  const allowed = routes.methodsOf(request.url);
  // A route may call its own thing unknown; then the method is not what is wrong.
  const isWrongMethod = allowed.length > 0 && !allowed.includes(request.method);
  return isWrongMethod ? mapper.methodNotAllowed(request, allowed) : mapper.notFound(request);
}

/** Null unless the area refuses the malformed JSON that a known path would not read. */
async function refusalOfBody(
  request: FastifyRequest,
  mapperOf: MapperOf,
  routes: KnownRoutes,
  bodies: BodyIntake,
): Promise<ErrorAnswer | null> {
  const { malformedBody } = mapperOf(request.url);
  if (malformedBody === undefined || !carriesUnreadJson(request)) return null;
  if (routes.methodsOf(request.url).length === 0) return null;
  const fault = await faultOfJson(request.raw, request.headers, bodies);
  return fault === null ? null : malformedBody(request, fault);
}

function send(reply: FastifyReply, answer: ErrorAnswer): FastifyReply {
  // A content length or cache rule of the answer that failed must not survive it.
  for (const name of ['content-length', 'cache-control', 'etag', 'last-modified']) reply.removeHeader(name);
  return reply
    .code(answer.statusCode)
    .headers({ ...answer.headers })
    .type(JSON_TYPE)
    .send(JSON.stringify(answer.body));
}
