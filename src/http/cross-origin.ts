import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** One day: browsers cap it lower where they must. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/**
 * Lets pages of any origin read every answer, errors included; web explorers run in browsers.
 *
 * A route opts out with `config: { cors: false }`.
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
}
