import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SMALL_BODY_BYTES } from '../../http/bodies/body-budget.ts';
import type { ReadBody } from '../../http/bodies/body-intake.ts';
import type { FormBody } from '../bodies/form-body.ts';
import type { LargeBody } from '../bodies/large-body.ts';
import { heapBytesOfBody } from '../bodies/parse-body.ts';
import { readLargeBody } from '../submissions/request-body.ts';
import type { VerifyContext } from '../verify-context.ts';
import { FORM_TYPES, readForm } from './read-form.ts';

/**
 * Reads JSON, web forms and multipart bodies alike; plugs into one encapsulated scope.
 *
 * They obey the limits of all bodies of the area. Those above 64 KiB are read in a thread; a route that names its
 * `bodyKind` gets a {@link LargeBody} in place of the form then.
 */
export function addFormParsers(
  scope: FastifyInstance,
  { bodies, largeBodies, maxBodyBytes, parsedRoom }: VerifyContext,
): void {
  scope.removeAllContentTypeParsers();
  const parse = async (body: ReadBody, request: FastifyRequest): Promise<FormBody | LargeBody> => {
    const { bodyKind = 'form' } = request.routeOptions.config;
    if (body.bytes > SMALL_BODY_BYTES) return readLargeBody(request, body, bodyKind, largeBodies);
    try {
      const bytes = Buffer.concat(body.parts);
      request.parsedBytes = heapBytesOfBody(parsedRoom, bytes, 2);
      return readForm(bytes, request.headers['content-type'] ?? '');
    } finally {
      body.release();
    }
  };
  for (const type of FORM_TYPES) {
    scope.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done) =>
      bodies.read(payload, request.headers, maxBodyBytes, (error, body) => {
        if (body === undefined) return done(error);
        parse(body, request).then((form) => done(null, form), done);
      }),
    );
  }
}
