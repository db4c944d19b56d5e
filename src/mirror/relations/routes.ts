import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type AccountTokensDependencies, listAccountTokens } from './list-account-tokens.ts';
import { listTokenBalances, type TokenBalancesDependencies } from './list-token-balances.ts';
import {
  AccountTokensAnswer,
  AccountTokensPath,
  AccountTokensQuery,
  TokenBalancesAnswer,
  TokenBalancesPath,
  TokenBalancesQuery,
} from './schemas.ts';

/**
 * `GET /api/v1/accounts/{idOrAliasOrEvmAddress}/tokens` and `GET /api/v1/tokens/{tokenId}/balances`.
 *
 * @see contracts/mirror-entities.md sections 4 and 6.4
 */
export function relationRoutes(
  dependencies: AccountTokensDependencies & TokenBalancesDependencies,
): FastifyPluginAsync {
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

    app.get<{ Params: { tokenId: string } }>(
      '/api/v1/tokens/:tokenId/balances',
      {
        schema: {
          ...documented('Holders of a token', { query: TokenBalancesQuery, answer: TokenBalancesAnswer }),
          params: TokenBalancesPath,
        },
      },
      async (request, reply) => {
        const { json, next } = await listTokenBalances(
          request.params.tokenId,
          targetOf(request),
          dependencies,
        );
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );
  };
}
