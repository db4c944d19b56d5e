import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { type BodyBudget, SMALL_BODY_BYTES } from '../../http/bodies/body-budget.ts';
import { bodyBudgetSpent } from '../../http/bodies/body-errors.ts';
import type { ReadBody } from '../../http/bodies/body-intake.ts';
import type { FormBody } from '../bodies/form-body.ts';
import { LargeBody } from '../bodies/large-body.ts';
import { heapBytesOfBody, parseBody } from '../bodies/parse-body.ts';
import { type BodyKind, type LargeBodies, packedIn } from '../bodies/prepared-body.ts';
import { invalidParameter } from '../errors.ts';
import { heldBytesOf } from '../model/submission.ts';
import type { VerifyContext } from '../verify-context.ts';

/** Largest body, before and after unpacking. @see contracts/verification-api.md section 2.1 */
export const MAX_BODY_BYTES = 31_457_280;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of area A does with its body. */
    readonly bodyKind?: BodyKind;
  }
  interface FastifyRequest {
    // Not declared to the framework: a reset exchanges routes, which cannot declare anew.
    /** Heap that a parsed body may take; absent without one. */
    parsedBytes?: number;
    /** What the budget for bodies counts of a large one until it is dropped: its packed submission. */
    packedBody?: Pick<ReadBody, 'release'>;
    /** Forgets the body, of which only so much heap stays taken: what was made of it; without a number nothing. */
    dropBody?: (keptBytes?: number) => void;
    /** Whether a handler holds the body, whoever may have hung up. */
    isHandled?: boolean;
  }
}

/** Reads JSON bodies; plugs into one encapsulated scope. */
export function addJsonBodyParser(
  scope: FastifyInstance,
  { bodies, largeBodies, maxBodyBytes, parsedRoom }: VerifyContext,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    (request: FastifyRequest, payload: IncomingMessage, done) => {
      const { bodyKind } = request.routeOptions.config;
      // What a route has no use for is left to the edge, unread.
      if (bodyKind === undefined) return done(null);
      bodies.read(payload, request.headers, maxBodyBytes, (error, body) => {
        if (body === undefined) return done(error);
        if (body.bytes > SMALL_BODY_BYTES) {
          readLargeBody(request, body, bodyKind, largeBodies).then((value) => done(null, value), done);
          return;
        }
        const bytes = Buffer.concat(body.parts);
        request.parsedBytes = heapBytesOfBody(parsedRoom, bytes);
        try {
          done(null, parseBody(bytes));
        } catch (refusal) {
          done(refusal as Error);
        } finally {
          body.release();
        }
      });
    },
  );
}

/**
 * Counts what is left of a body until it is dropped: when the handler of its request ends, and without one when the request
 * has been answered. Hundreds of them wait for the database at a time.
 *
 * @throws BodyError when the heap has no room for a parsed body.
 */
export function holdBody(parsedRoom: BodyBudget) {
  return async (request: FastifyRequest, { raw }: FastifyReply): Promise<void> => {
    const { packedBody, parsedBytes = 0 } = request;
    if (parsedBytes === 0 && packedBody === undefined) return;
    if (!parsedRoom.take(parsedBytes, 0)) {
      packedBody?.release();
      throw bodyBudgetSpent();
    }
    let heldBytes = parsedBytes;
    const drop = (keptBytes = 0) => {
      // What was packed in the thread is what stays of a large body, and is counted already.
      const keptOfParsed = packedBody === undefined ? keptBytes : 0;
      parsedRoom.give(heldBytes - keptOfParsed);
      heldBytes = keptOfParsed;
      if (keptBytes === 0) packedBody?.release();
      request.body = undefined;
    };
    request.dropBody = drop;
    const dropUnhandled = () => {
      if (request.isHandled !== true) drop();
    };
    if (raw.closed) dropUnhandled();
    else raw.once('close', dropUnhandled);
  };
}

/** A handler that drops the body of its request when it ends. @see holdBody */
export function droppingBody(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (this: FastifyInstance, request, reply) {
    request.isHandled = true;
    try {
      return await handler.call(this, request, reply);
    } finally {
      request.dropBody?.();
    }
  };
}

/**
 * Reads a large body, JSON or a form, in the thread. From then on what is packed of it counts, or its text as heap.
 *
 * @throws VerifyRequestError
 */
export async function readLargeBody(
  request: FastifyRequest,
  body: ReadBody,
  kind: BodyKind,
  largeBodies: LargeBodies,
): Promise<LargeBody | FormBody> {
  let keptBytes = 0;
  try {
    const prepared = await largeBodies.prepare(body.parts, kind, request.headers['content-type']);
    const sent = packedIn(prepared);
    const sentBytes = sent === null ? 0 : heldBytesOf(sent);
    const isText = sent?.packed === null;
    if (sent !== null && !isText) {
      request.packedBody = body;
      keptBytes = sentBytes;
    }
    request.parsedBytes = (prepared.kind === 'form' ? prepared.heapBytes : 0) + (isText ? sentBytes : 0);
    return prepared.kind === 'form' ? prepared.form : new LargeBody(prepared);
  } finally {
    body.release(keptBytes);
  }
}

/**
 * Refuses anything but UTF-8 JSON, plain or gzip, before the body is read.
 *
 * @throws VerifyRequestError `invalid_parameter`, not 415
 */
export async function requireJsonBody(request: FastifyRequest): Promise<void> {
  const header = request.headers['content-type'];
  const [mediaType = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (mediaType !== 'application/json') {
    throw invalidParameter(`unsupported media type ${header === undefined ? 'undefined' : mediaType}`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !['utf-8', 'utf8'].includes(charset.replaceAll('"', ''))) {
    throw invalidParameter(`unsupported charset ${charset}; use utf-8`);
  }
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw invalidParameter(`unsupported content encoding ${encoding}; use gzip or none`);
  }
}
