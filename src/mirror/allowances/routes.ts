import type { FastifyPluginAsync } from 'fastify';
import { AccountPath } from '../list-schemas.ts';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import type { ListAllowancesDependencies } from './list-allowances.ts';
import { listApprovals } from './list-approvals.ts';
import { listHbarAllowances } from './list-hbar-allowances.ts';
import { listTokenAllowances } from './list-token-allowances.ts';
import {
  ApprovalsAnswer,
  ApprovalsQuery,
  HbarAllowancesAnswer,
  HbarAllowancesQuery,
  TokenAllowancesAnswer,
  TokenAllowancesQuery,
} from './schemas.ts';

const LISTS = [
  {
    name: 'crypto',
    list: listHbarAllowances,
    schema: documented('Who may spend hbar of an account', {
      query: HbarAllowancesQuery,
      answer: HbarAllowancesAnswer,
    }),
  },
  {
    name: 'tokens',
    list: listTokenAllowances,
    schema: documented('Who may spend tokens of an account', {
      query: TokenAllowancesQuery,
      answer: TokenAllowancesAnswer,
    }),
  },
  {
    name: 'nfts',
    list: listApprovals,
    schema: documented('Who may spend all NFTs of a token for an account', {
      query: ApprovalsQuery,
      answer: ApprovalsAnswer,
    }),
  },
] as const;

/** `GET /api/v1/accounts/{id}/allowances/{crypto, tokens, nfts}`. @see contracts/mirror-entities.md section 4 */
export function allowanceRoutes(dependencies: ListAllowancesDependencies): FastifyPluginAsync {
  return async (app) => {
    for (const { list, name, schema } of LISTS) {
      app.get<{ Params: { idOrAliasOrEvmAddress: string } }>(
        `/api/v1/accounts/:idOrAliasOrEvmAddress/allowances/${name}`,
        { schema: { ...schema, params: AccountPath } },
        async (request, reply) => {
          const { idOrAliasOrEvmAddress } = request.params;
          const { json, next } = await list(idOrAliasOrEvmAddress, targetOf(request), dependencies);
          return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
        },
      );
    }
  };
}
