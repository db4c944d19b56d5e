import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { acceptsGzip } from './accept.ts';

/** Below this a packed body is not smaller. */
export const PACK_FROM_BYTES = 1024;
/**
 * Up to here, so that a list of 100 is below, a body is packed in one call: less work than handing it to a stream, and
 * others wait for it about a millisecond.
 */
export const PACK_AT_ONCE_BYTES = 131_072;
/** Of a page of 20 kB: a third of the time of the default level 6, for a body that is a tenth larger. */
export const GZIP_LEVEL = 1;

/** Types of which a GET is packed. */
export const PACKED_TYPES = /^text\/(?!event-stream)|[/+](?:json|xml|yaml|javascript)(?:;|$)/i;

/** A body of up to {@link PACK_AT_ONCE_BYTES} as gzip. */
export const pack = (body: Buffer): Buffer => gzipSync(body, { level: GZIP_LEVEL });

/** Up to here the system takes a text with the head of its answer in one piece, without a request for the rest. */
const ONE_PIECE_BYTES = 8192;

/** Bytes that are sent more than once, as the cheapest to send: a text has one character (latin1) for each of them. */
export const inOnePiece = (body: Buffer): Buffer | string =>
  body.length <= ONE_PIECE_BYTES ? body.toString('latin1') : body;

/**
 * How a client takes a body that is packed in one call.
 *
 * @returns null when it takes other forms than gzip alone, or none: that is the router's.
 */
export function packingOf(headers: IncomingHttpHeaders): 'gzip' | 'identity' | null {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  return headers['x-no-compression'] === undefined && acceptsGzip(accepted) ? 'gzip' : null;
}
