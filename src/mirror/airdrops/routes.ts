import type { FastifyPluginAsync } from 'fastify';
import { AccountPath } from '../list-schemas.ts';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type ListAirdropsDependencies, listAirdrops } from './list-airdrops.ts';
import { AirdropListAnswer, OutstandingAirdropsQuery, PendingAirdropsQuery } from './schemas.ts';

const LISTS = [
  {
    list: 'outstanding',
    summary: 'Airdrops that an account sent and nobody claimed',
    query: OutstandingAirdropsQuery,
  },
  { list: 'pending', summary: 'Airdrops that an account may claim', query: PendingAirdropsQuery },
] as const;

/** `GET /api/v1/accounts/{id}/airdrops/{outstanding, pending}`. @see contracts/mirror-entities.md section 4 */
export function airdropRoutes(dependencies: ListAirdropsDependencies): FastifyPluginAsync {
  return async (app) => {
    for (const { list, query, summary } of LISTS) {
      app.get<{ Params: { idOrAliasOrEvmAddress: string } }>(
        `/api/v1/accounts/:idOrAliasOrEvmAddress/airdrops/${list}`,
        { schema: { ...documented(summary, { query, answer: AirdropListAnswer }), params: AccountPath } },
        async (request, reply) => {
          const { idOrAliasOrEvmAddress } = request.params;
          const { json, next } = await listAirdrops(
            list,
            idOrAliasOrEvmAddress,
            targetOf(request),
            dependencies,
          );
          return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
        },
      );
    }
  };
}
