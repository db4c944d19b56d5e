import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type ListBalancesDependencies, listBalances } from './list-balances.ts';
import { BalanceListAnswer, BalanceListQuery } from './schemas.ts';

/** `GET /api/v1/balances`. @see contracts/mirror-roadmap.md, balances */
export function balanceRoutes(dependencies: ListBalancesDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/api/v1/balances',
      { schema: documented('List balances', { query: BalanceListQuery, answer: BalanceListAnswer }) },
      async (request, reply) => {
        const { json, next } = await listBalances(targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );
  };
}
