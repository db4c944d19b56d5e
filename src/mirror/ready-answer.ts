import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../http/conditional.ts';
import { addHeaders, type HeaderLines } from '../http/header-lines.ts';

/** A finished body with the headers that caches read. */
export interface ReadyAnswer {
  /** Made only when it is sent: one that the client has already is left out, which needs `version`. */
  readonly body: string | (() => Buffer);
  /** `cache-control: public, max-age=…` */
  readonly maxAgeSeconds: number;
  /** Equal for equal bodies of one path; without it the body itself is hashed. */
  readonly version?: string;
  readonly contentType?: string;
  /** Value of `links.next`, repeated in the header `Link`. */
  readonly next?: string | null;
}

/** `max-age` of documents that follow the newest state. @see contracts/mirror-transactions.md section 7 */
export const STATE_SECONDS = 1;

const VISIBLE = /^[\x21-\x7e]*$/;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The headers of a finished body: `cache-control`, `etag`, `vary`, `content-type` and `link`. */
export function readyHeaders(
  { contentType, maxAgeSeconds, next }: Pick<ReadyAnswer, 'contentType' | 'maxAgeSeconds' | 'next'>,
  version: string,
): HeaderLines {
  const lines = ['cache-control', `public, max-age=${maxAgeSeconds}`, 'etag', `W/"${version}"`];
  // Also where nothing is packed: a cache must not hand it to a client that asks for another form.
  lines.push('vary', 'accept-encoding');
  lines.push('content-type', contentType ?? JSON_TYPE);
  if (next !== undefined && next !== null) lines.push('link', `<${headerText(next)}>; rel="next"`);
  return lines;
}

/**
 * A `next` link below the path under which clients reach the server: a header is resolved against the address of the
 * request. The body keeps the path that its specification fixes, which clients append to the server's address.
 */
export function linkBelow(root: string, next: string | null): string | null {
  return next?.startsWith('/') === true ? root + next : next;
}

/**
 * Sends a finished body, or 304 when the client has it already.
 *
 * @see contracts/mirror-transactions.md section 7, headers
 */
export function sendReady(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer): FastifyReply {
  const { body } = answer;
  const version = answer.version ?? hash('sha1', typeof body === 'string' ? body : body(), 'base64url');
  addHeaders(reply, readyHeaders(answer, version));
  if (namesTag(request.headers['if-none-match'], `W/"${version}"`)) {
    return reply.removeHeader('content-type').code(304).send();
  }
  return reply.send(typeof body === 'string' ? body : body());
}

export function bytesOf(body: ReadyAnswer['body']): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body();
}

/** A link may echo any decoded text; a header carries only visible ASCII. */
function headerText(link: string): string {
  if (VISIBLE.test(link)) return link;
  return link.replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character));
}
