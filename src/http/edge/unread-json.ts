import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { BodyHeaders, BodyIntake } from '../bodies/body-intake.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** More is not looked at: nobody asked for it. */
const LOOK_AT_BYTES = 64 * 1024;

/** Whether a request has a JSON body that its route does not read: there is none, or it answers GET. */
export function carriesUnreadJson(request: FastifyRequest): boolean {
  const { 'content-length': length, 'content-type': type, 'transfer-encoding': coding } = request.headers;
  if (type === undefined || !JSON_TYPE.test(type)) return false;
  const hasBody = coding !== undefined || (length !== undefined && length !== '0');
  return hasBody && (request.is404 || request.method === 'GET' || request.method === 'HEAD');
}

/**
 * @param bodies within whose budget the body is held; without room it is not looked at.
 * @returns what is wrong with a body; null when it is JSON, empty, too long to look at, cut off or too slow.
 */
export function faultOfJson(
  payload: Readable,
  headers: BodyHeaders,
  bodies: BodyIntake,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    bodies.read(payload, headers, LOOK_AT_BYTES, (_refusal, body) => {
      try {
        const text = Buffer.concat(body?.parts ?? []).toString('utf8');
        if (text !== '') JSON.parse(text);
        resolve(null);
      } catch (error) {
        if (error instanceof SyntaxError) resolve(error.message);
        else reject(error);
      } finally {
        body?.release();
      }
    });
  });
}
