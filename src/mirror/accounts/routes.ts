import type { FastifyPluginAsync } from 'fastify';
import { AccountPath } from '../list-schemas.ts';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type FindAccountDependencies, findAccount } from './find-account.ts';
import { type ListAccountsDependencies, listAccounts } from './list-accounts.ts';
import { AccountAnswer, AccountListAnswer, AccountListQuery, AccountQuery } from './schemas.ts';

/** @see contracts/mirror-entities.md section 1.7 */
const [LIST_SECONDS, ACCOUNT_SECONDS] = [10, 2];

export interface AccountRoutesDependencies {
  readonly one: FindAccountDependencies;
  readonly list: ListAccountsDependencies;
}

/** `GET /api/v1/accounts` and `GET /api/v1/accounts/{idOrAliasOrEvmAddress}`. @see contracts/mirror-entities.md */
export function accountRoutes({ list, one }: AccountRoutesDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/api/v1/accounts',
      { schema: documented('List accounts', { query: AccountListQuery, answer: AccountListAnswer }) },
      async (request, reply) => {
        const { json, next } = await listAccounts(targetOf(request), list);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: LIST_SECONDS });
      },
    );
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
        const { json, next } = await findAccount(idOrAliasOrEvmAddress, targetOf(request), one);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: ACCOUNT_SECONDS });
      },
    );
  };
}
