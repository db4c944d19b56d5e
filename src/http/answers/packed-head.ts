import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { PACK_FROM_BYTES } from '../packing.ts';

/** One that the client refuses by a quality of 0 is rare, and a length may be left out. */
const PACKINGS = /\b(?:gzip|br|deflate)\b|\*/;
/** Types of which a GET is packed. */
const PACKABLE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml))/;

/**
 * Answers to HEAD tell no length where GET would be packed: it would be another one, which is not known.
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
      const isPackable = PACKABLE.test(String(reply.getHeader('content-type') ?? ''));
      if (bytes >= PACK_FROM_BYTES && isPacked && isPackable && !reply.hasHeader('content-encoding')) {
        reply.removeHeader('content-length');
        if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
      }
      done(null, payload);
    };
    // After the one that measures the body and leaves it out.
    route.onSend = [...[route.onSend ?? []].flat(), leaveOut];
  });
}
