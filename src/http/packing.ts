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

/** A body of up to {@link PACK_AT_ONCE_BYTES} as gzip. */
export const pack = (body: Buffer): Buffer => gzipSync(body, { level: GZIP_LEVEL });

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
