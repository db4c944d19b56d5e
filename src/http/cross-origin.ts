import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { isManagementPath } from './area-of-path.ts';

/** On every answer but those of management. */
export const ALLOW_ANY_ORIGIN = ['access-control-allow-origin', '*'] as const;

/** One day: browsers cap it lower where they must. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/**
 * Lets pages of any origin read every answer, errors included; web explorers run in browsers.
 *
 * @see contracts/client-needs.md section 2, rules 1 and 3
 */
export async function allowCrossOrigin(app: FastifyInstance): Promise<void> {
  // The plugin weighs its options anew for each request, which only a preflight needs.
  app.addHook('onRoute', (route) => {
    if (![route.method].flat().includes('OPTIONS'))
      route.config = Object.assign({}, route.config, { cors: false });
  });
  app.addHook('onRequest', (request, reply, done) => {
    // The preflight is answered by the plugin's hook, so this one stands before it.
    if (request.method !== 'OPTIONS' || !isManagementPath(request.url)) return done();
    reply.code(204).send();
  });
  await app.register(cors, {
    origin: '*',
    methods: 'GET,HEAD,PUT,PATCH,POST,DELETE' as unknown as string[],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    strictPreflight: false,
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (isManagementPath(request.url)) reply.removeHeader('access-control-allow-origin');
    else reply.header(...ALLOW_ANY_ORIGIN);
    done();
  });
}
