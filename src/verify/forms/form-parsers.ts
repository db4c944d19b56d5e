import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyIntake } from '../../http/bodies/body-intake.ts';
import { parseBody } from '../bodies/parse-body.ts';
import { invalidParameter } from '../errors.ts';
import { isJsonObject } from '../json-object.ts';
import { MAX_BODY_BYTES } from '../request-body.ts';
import type { FormBody } from './form-body.ts';
import { readMultipart } from './multipart.ts';

type ReadForm = (body: Buffer, contentType: string) => FormBody;

/**
 * Reads JSON, web forms and multipart bodies alike; plugs into one encapsulated scope.
 *
 * They obey the limits of all bodies of the area.
 */
export function addFormParsers(scope: FastifyInstance, bodies: BodyIntake): void {
  scope.removeAllContentTypeParsers();
  const parsers: readonly (readonly [string, ReadForm])[] = [
    ['application/json', readJsonForm],
    ['application/x-www-form-urlencoded', readWebForm],
    ['multipart/form-data', readMultipart],
  ];
  for (const [type, read] of parsers) {
    scope.addContentTypeParser(type, (request: FastifyRequest, payload: IncomingMessage, done) =>
      bodies.read(payload, request.headers, MAX_BODY_BYTES, (error, body) => {
        if (body === undefined) return done(error);
        const contentType = request.headers['content-type'] ?? '';
        Promise.resolve(Buffer.concat(body.parts))
          .then((bytes) => read(bytes, contentType))
          .then((form) => done(null, form), done)
          .finally(body.release);
      }),
    );
  }
}

function readJsonForm(body: Buffer): FormBody {
  const value = parseBody(body);
  if (!isJsonObject(value)) throw invalidParameter('request/body must be object');
  return { fields: new Map(Object.entries(value)), files: [] };
}

function readWebForm(body: Buffer): FormBody {
  return { fields: new Map(new URLSearchParams(body.toString('utf8'))), files: [] };
}
