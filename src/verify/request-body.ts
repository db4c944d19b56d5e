import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyIntake } from '../http/bodies/body-intake.ts';
import { invalidParameter, VerifyRequestError } from './errors.ts';
import { findJsonExcess } from './json-shape.ts';

/** Largest body, before and after unpacking. @see contracts/verification-api.md section 2.1 */
export const MAX_BODY_BYTES = 31_457_280;

const LARGE_BODY_BYTES = 1_048_576;

/** Leaves out a byte order mark, which some clients send and JSON does not have. */
const UTF_8 = new TextDecoder('utf-8');

/** Smaller bodies are parsed in a few milliseconds whatever they hold. */
const SHAPED_FROM_BYTES = 65_536;
/** Compiler input is text in few containers: a thousand sources have some thousand members. */
const SHAPE_LIMITS = { depth: 1000, values: 250_000 } as const;

/** Reads JSON bodies; plugs into one encapsulated scope. */
export function addJsonBodyParser(scope: FastifyInstance, bodies: BodyIntake): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage, done) =>
    bodies.read(payload, request.headers, MAX_BODY_BYTES, (error, body) => {
      if (body === undefined) return done(error);
      readBody(Buffer.concat(body.parts))
        .then((value) => done(null, value), done)
        .finally(body.release);
    }),
  );
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

/** Parsing a large body takes as long as many requests, so they have their turn before it is worked on. */
async function readBody(body: Buffer): Promise<unknown> {
  if (body.length > SHAPED_FROM_BYTES) requireModestShape(body);
  const value = parseJson(body);
  if (body.length > LARGE_BODY_BYTES) await setImmediate();
  return value;
}

/** @throws VerifyRequestError for a body that would keep the parser, and so everybody else, busy for seconds. */
function requireModestShape(body: Buffer): void {
  switch (findJsonExcess(body, SHAPE_LIMITS)) {
    case 'depth':
      throw invalidParameter(`request/body must NOT be nested deeper than ${SHAPE_LIMITS.depth} levels`);
    case 'values':
      throw invalidParameter(
        `request/body must NOT have more than ${SHAPE_LIMITS.values} members and elements altogether`,
      );
  }
}

/** An empty body counts as an empty object, so that the first missing member is named. */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(UTF_8.decode(body)) as unknown;
  } catch (error) {
    throw new VerifyRequestError('invalid_json', error instanceof Error ? error.message : 'No JSON');
  }
}
