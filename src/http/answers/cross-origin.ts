import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { AreasByPath } from '../area-paths.ts';

/**
 * On every answer but those of management, so that pages of any origin read it; web explorers run in browsers.
 *
 * @see contracts/client-needs.md section 2, rules 1 and 3
 */
export const ALLOW_ANY_ORIGIN = ['access-control-allow-origin', '*'] as const;

/** One day: browsers cap it lower where they must. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/**
 * Answers preflights of any path; those of management allow nothing.
 *
 * In a scope of its own, since the plugin weighs its options for each request; so it comes after all other hooks.
 */
export async function answerPreflights(
  app: FastifyInstance,
  areas: Pick<AreasByPath<unknown>, 'isManaged'>,
): Promise<void> {
  await app.register(async (preflights) => {
    preflights.addHook('onRequest', (request, reply, done) => {
      if (!areas.isManaged(request.url)) return done();
      reply.code(204).send();
    });
    await preflights.register(cors, {
      origin: '*',
      methods: 'GET,HEAD,PUT,PATCH,POST,DELETE' as unknown as string[],
      maxAge: PREFLIGHT_MAX_AGE_SECONDS,
      strictPreflight: false,
    });
  });
}
