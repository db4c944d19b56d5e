import type { FastifyPluginAsync } from 'fastify';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type ListRewardsDependencies, listRewards } from './list-rewards.ts';
import { RewardListAnswer, RewardPath, RewardQuery } from './schemas.ts';

/** @see contracts/mirror-entities.md section 1.7 */
const REWARDS_SECONDS = 60;

/** `GET /api/v1/accounts/{idOrAliasOrEvmAddress}/rewards`. @see contracts/mirror-entities.md section 4 */
export function rewardRoutes(dependencies: ListRewardsDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { idOrAliasOrEvmAddress: string } }>(
      '/api/v1/accounts/:idOrAliasOrEvmAddress/rewards',
      {
        schema: {
          ...documented('Staking rewards that were paid to an account', {
            query: RewardQuery,
            answer: RewardListAnswer,
          }),
          params: RewardPath,
        },
      },
      async (request, reply) => {
        const { idOrAliasOrEvmAddress } = request.params;
        const { json, next } = await listRewards(idOrAliasOrEvmAddress, targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: REWARDS_SECONDS });
      },
    );
  };
}
