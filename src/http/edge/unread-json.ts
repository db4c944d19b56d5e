import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { ArrivingBody, SlowBodies } from '../bodies/slow-bodies.ts';

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
 * @param slow ends the wait for a body that arrives slowly or never.
 * @returns what is wrong with a body; null when it is JSON, empty, too long to look at, cut off or too slow.
 */
export async function faultOfJson(body: Readable, slow: SlowBodies): Promise<string | null> {
  const bytes = await shortBody(body, slow);
  if (bytes === null || bytes.length === 0) return null;
  try {
    JSON.parse(bytes.toString('utf8'));
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/**
 * Null when it is too long, too slow or was cut off; then the rest stays unread.
 *
 * Not by iterating: leaving the loop would destroy the stream, and the connection would never get beyond this request.
 */
function shortBody(body: Readable, slow: SlowBodies): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  return new Promise((resolve) => {
    const arriving: ArrivingBody = {
      receivedBytes: 0,
      get heldBytes() {
        return arriving.receivedBytes;
      },
      client: '',
      isHeldUp: () => false,
      end: () => settle(null),
    };
    const settle = (bytes: Buffer | null): void => {
      slow.forget(arriving);
      body.off('data', take).off('end', end).off('error', cutOff).off('close', cutOff);
      if (bytes === null) body.pause();
      resolve(bytes);
    };
    const take = (part: Buffer): void => {
      parts.push(part);
      arriving.receivedBytes += part.length;
      if (arriving.receivedBytes > LOOK_AT_BYTES) settle(null);
    };
    const end = (): void => settle(Buffer.concat(parts));
    const cutOff = (): void => settle(null);
    slow.watch(arriving);
    body.on('data', take).on('end', end).on('error', cutOff).on('close', cutOff);
  });
}
