import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { PACK_FROM_BYTES, PACKED_TYPES } from '../packing.ts';

const PACKINGS = /\b(?:gzip|br|deflate)\b|\*/i;
const VARIES = 'accept-encoding';

/**
 * Answers to HEAD name no length where GET would be packed: it would be another one, which is not known.
 *
 * To be added before compression. @see RFC 9110 section 8.6
 */
export function leaveOutPackedLengths(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' || route.compress === false) return;
    const leaveOut: onSendHookHandler = ({ headers }, reply, payload, done) => {
      const bytes = Number(reply.getHeader('content-length') ?? 0);
      const isPacked =
        PACKINGS.test(String(headers['accept-encoding'])) && headers['x-no-compression'] === undefined;
      const isOfType = PACKED_TYPES.test(String(reply.getHeader('content-type') ?? ''));
      if (bytes >= PACK_FROM_BYTES && isPacked && isOfType && !reply.hasHeader('content-encoding')) {
        reply.removeHeader('content-length');
        const vary = String(reply.getHeader('vary') ?? '');
        if (!vary.toLowerCase().includes(VARIES)) {
          reply.header('vary', vary === '' ? VARIES : `${vary}, ${VARIES}`);
        }
      }
      done(null, payload);
    };
    // After the one that measures the body and leaves it out.
    route.onSend = [...[route.onSend ?? []].flat(), leaveOut];
  });
}
