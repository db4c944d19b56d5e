import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '../http/accept.ts';
import { namesTag } from '../http/conditional.ts';
import { addHeaders, type HeaderLines } from '../http/header-lines.ts';
import type { EncodedDocument, Representation } from './encoded-document.ts';

/** For everything that changes with the page. @see contracts/status.md section 2, HTTP */
export const PUBLIC_CACHING: HeaderLines = [
  'cache-control',
  'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400',
];

/**
 * Sends prepared bytes in the form that the client takes, or 304 when it holds them already.
 *
 * Routes that use it say `compress: false`: the bytes are kept compressed as well.
 *
 * @param headers what goes with the kind of document: its type, its caching, what it varies by.
 * @see contracts/status.md section 2, HTTP
 */
export async function sendDocument(
  document: EncodedDocument,
  headers: HeaderLines,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { form, isHeld } = chooseForm(document, request.headers);
  // HEAD needs the bytes for its length.
  const isBare = isHeld && request.method !== 'HEAD';
  addHeaders(reply, documentHeaders(headers, form, document.lastModified, isBare));
  if (isHeld) reply.code(304);
  return reply.send(isBare ? undefined : await form.bytes());
}

/**
 * The form for a request and whether the client holds it already.
 *
 * `If-Modified-Since` is not answered by 304: of two changes within a second it would hide the later one.
 */
export function chooseForm(
  { gzip, plain }: EncodedDocument,
  headers: IncomingHttpHeaders,
): { readonly form: Representation; readonly isHeld: boolean } {
  const chosen = gzip !== null && acceptsGzip(headers['accept-encoding']) ? gzip : plain;
  const held = headers['if-none-match'];
  if (held === undefined) return { form: chosen, isHeld: false };
  // Either tag says that the client holds the present content.
  const named = [chosen, plain, gzip].find((form) => form !== null && namesTag(held, form.etag));
  return { form: named ?? chosen, isHeld: named !== undefined && named !== null };
}

/**
 * The headers of a kind of document and those of one form of it.
 *
 * @param isBare without a body, and without what describes one. @see RFC 9110 section 15.4.5
 */
export function documentHeaders(
  headers: HeaderLines,
  form: Representation,
  lastModified: string,
  isBare: boolean,
): HeaderLines {
  const lines = [...headers, 'etag', form.etag, 'last-modified', lastModified];
  const type = lines.indexOf('content-type');
  if (isBare && type >= 0) lines.splice(type, 2);
  if (!isBare && form.encoding === 'gzip') lines.push('content-encoding', 'gzip');
  return lines;
}
