import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type AccountTokensDependencies, listAccountTokens } from './list-account-tokens.ts';
import { AccountTokensAnswer, AccountTokensPath, AccountTokensQuery } from './schemas.ts';

/** `GET /api/v1/accounts/{idOrAliasOrEvmAddress}/tokens`. @see contracts/mirror-entities.md section 4 */
export function relationRoutes(dependencies: AccountTokensDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { idOrAliasOrEvmAddress: string } }>(
      '/api/v1/accounts/:idOrAliasOrEvmAddress/tokens',
      {
        schema: {
          ...documented('Tokens of an account', { query: AccountTokensQuery, answer: AccountTokensAnswer }),
          params: AccountTokensPath,
        },
      },
      async (request, reply) => {
        const { idOrAliasOrEvmAddress } = request.params;
        const { json, next } = await listAccountTokens(
          idOrAliasOrEvmAddress,
          targetOf(request),
          dependencies,
        );
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );
  };
}
