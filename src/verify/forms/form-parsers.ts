import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SMALL_BODY_BYTES } from '../../http/bodies/body-budget.ts';
import type { ReadBody } from '../../http/bodies/body-intake.ts';
import type { FormBody } from '../bodies/form-body.ts';
import { LargeBody } from '../bodies/large-body.ts';
import { heapBytesOfBody } from '../bodies/parse-body.ts';
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
    const contentType = request.headers['content-type'] ?? '';
    if (body.bytes <= SMALL_BODY_BYTES) {
      const bytes = Buffer.concat(body.parts);
      request.parsedBytes = heapBytesOfBody(parsedRoom, bytes, 2);
      return readForm(bytes, contentType);
    }
    const { bodyKind = 'form' } = request.routeOptions.config;
    const prepared = await largeBodies.prepare(body.parts, bodyKind, contentType);
    if (prepared.kind !== 'form') return new LargeBody(prepared, body);
    request.parsedBytes = prepared.heapBytes;
    return prepared.form;
  };
  for (const type of FORM_TYPES) {
    scope.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done) =>
      bodies.read(payload, request.headers, maxBodyBytes, (error, body) => {
        if (body === undefined) return done(error);
        parse(body, request)
          .then((form) => {
            if (!(form instanceof LargeBody)) body.release();
            done(null, form);
          })
          .catch((refusal: Error) => {
            body.release();
            done(refusal);
          });
      }),
    );
  }
}
