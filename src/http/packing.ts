import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { acceptsGzip } from './accept.ts';

/** Below this a packed body is not smaller. */
export const PACK_FROM_BYTES = 1024;
/** Up to here a body is packed in one call, which takes less than handing it to a stream; others wait for it below 1 ms. */
export const PACK_AT_ONCE_BYTES = 65_536;
/** Of a page of 20 kB: a third of the time of the default level 6, for a body that is a tenth larger. */
export const GZIP_LEVEL = 1;

/** A body of up to {@link PACK_AT_ONCE_BYTES} as gzip. */
export const pack = (body: Buffer): Buffer => gzipSync(body, { level: GZIP_LEVEL });

/**
 * How a body that is packed in one call is sent.
 *
 * @returns null when the client takes neither gzip nor any form, or the body is too large: that is the router's.
 */
export function packingOf(headers: IncomingHttpHeaders, bytes: number): 'gzip' | 'identity' | null {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined || bytes < PACK_FROM_BYTES) return 'identity';
  const isGzip = headers['x-no-compression'] === undefined && acceptsGzip(accepted);
  return isGzip && bytes <= PACK_AT_ONCE_BYTES ? 'gzip' : null;
}
