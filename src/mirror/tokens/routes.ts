import type { FastifyPluginAsync } from 'fastify';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type FindTokenDependencies, findToken } from './find-token.ts';
import { type ListTokensDependencies, listTokens } from './list-tokens.ts';
import { TokenAnswer, TokenListAnswer, TokenListQuery, TokenPath, TokenQuery } from './schemas.ts';

/** @see contracts/mirror-entities.md section 1.7 */
const LIST_SECONDS = 10;
const TOKEN_SECONDS = 5;

/** `GET /api/v1/tokens` and `/api/v1/tokens/{tokenId}`. @see contracts/mirror-entities.md section 6 */
export function tokenRoutes(
  dependencies: ListTokensDependencies & FindTokenDependencies,
): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/api/v1/tokens',
      { schema: documented('List tokens', { query: TokenListQuery, answer: TokenListAnswer }) },
      async (request, reply) => {
        const { json, next } = await listTokens(targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: LIST_SECONDS });
      },
    );

    app.get<{ Params: { tokenId: string } }>(
      '/api/v1/tokens/:tokenId',
      {
        schema: { ...documented('One token', { query: TokenQuery, answer: TokenAnswer }), params: TokenPath },
      },
      async (request, reply) => {
        const json = await findToken(request.params.tokenId, targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, maxAgeSeconds: TOKEN_SECONDS });
      },
    );
  };
}
