import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** One day: browsers cap it lower where they must. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/** The management API of area B is not for browsers of other origins, its 404s included. */
const MANAGEMENT_PATHS = /^\/v1(?:[/?]|$)/i;

/**
 * Lets pages of any origin read every answer, errors included; web explorers run in browsers.
 *
 * @see contracts/client-needs.md section 2, rules 1 and 3
 */
export async function allowCrossOrigin(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: 'GET,HEAD,PUT,PATCH,POST,DELETE' as unknown as string[],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    strictPreflight: false,
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (MANAGEMENT_PATHS.test(request.url)) reply.removeHeader('access-control-allow-origin');
    done();
  });
}
