import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyBudget, SMALL_BODY_BYTES } from '../../http/bodies/body-budget.ts';
import { bodyBudgetSpent } from '../../http/bodies/body-errors.ts';
import type { ReadBody } from '../../http/bodies/body-intake.ts';
import { LargeBody } from '../bodies/large-body.ts';
import { parseBody } from '../bodies/parse-body.ts';
import type { BodyKind, LargeBodies } from '../bodies/prepared-body.ts';
import { invalidParameter } from '../errors.ts';
import { heapBytesOf } from '../model/submission.ts';
import type { VerifyContext } from '../verify-context.ts';

/** Largest body, before and after unpacking. @see contracts/verification-api.md section 2.1 */
export const MAX_BODY_BYTES = 31_457_280;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of area A does with its body. */
    readonly bodyKind?: BodyKind;
  }
  interface FastifyRequest {
    /** Size of a body that was parsed in this thread; 0 without one. */
    parsedBytes: number;
  }
}

/** Reads JSON bodies; plugs into one encapsulated scope. */
export function addJsonBodyParser(
  scope: FastifyInstance,
  { bodies, largeBodies, maxBodyBytes }: VerifyContext,
): void {
  scope.decorateRequest('parsedBytes', 0);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage, done) =>
    bodies.read(payload, request.headers, maxBodyBytes, (error, body) => {
      if (body === undefined) return done(error);
      const { bodyKind } = request.routeOptions.config;
      if (body.bytes > SMALL_BODY_BYTES && bodyKind !== undefined) {
        readLargeBody(body, bodyKind, largeBodies).then((value) => done(null, value), done);
        return;
      }
      request.parsedBytes = body.bytes;
      try {
        done(null, parseBody(Buffer.concat(body.parts)));
      } catch (refusal) {
        done(refusal as Error);
      } finally {
        body.release();
      }
    }),
  );
}

/**
 * Counts what is left of a body until its request has been answered: hundreds of them wait for the database at a time.
 *
 * @throws BodyError when the heap has no room for a parsed body.
 */
export function holdUntilAnswered(parsedRoom: BodyBudget) {
  return async ({ body, parsedBytes }: FastifyRequest, { raw }: FastifyReply): Promise<void> => {
    if (parsedBytes === 0 && !(body instanceof LargeBody)) return;
    const heapBytes = heapBytesOf(parsedBytes);
    if (!parsedRoom.take(heapBytes, 0)) throw bodyBudgetSpent();
    const release = () => {
      parsedRoom.give(heapBytes);
      if (body instanceof LargeBody) body.release();
    };
    if (raw.closed) release();
    else raw.once('close', release);
  };
}

async function readLargeBody(body: ReadBody, kind: BodyKind, largeBodies: LargeBodies): Promise<LargeBody> {
  try {
    const prepared = await largeBodies.prepare(body.parts, kind);
    if (prepared.kind === 'form') throw new Error(`A route of JSON bodies names the kind ${kind}`);
    return new LargeBody(prepared, body);
  } catch (error) {
    body.release();
    throw error;
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
