import type { FastifyPluginAsync } from 'fastify';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type FindAccountDependencies, findAccount } from './find-account.ts';
import { AccountAnswer, AccountPath, AccountQuery } from './schemas.ts';

/** @see contracts/mirror-entities.md section 1.7 */
const ACCOUNT_SECONDS = 2;

/** `GET /api/v1/accounts/{idOrAliasOrEvmAddress}`. @see contracts/mirror-roadmap.md, accounts */
export function accountRoutes(dependencies: FindAccountDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { idOrAliasOrEvmAddress: string } }>(
      '/api/v1/accounts/:idOrAliasOrEvmAddress',
      {
        schema: {
          ...documented('One account with its newest transactions', {
            query: AccountQuery,
            answer: AccountAnswer,
          }),
          params: AccountPath,
        },
      },
      async (request, reply) => {
        const { idOrAliasOrEvmAddress } = request.params;
        const { json, next } = await findAccount(idOrAliasOrEvmAddress, targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: ACCOUNT_SECONDS });
      },
    );
  };
}
