import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { FindAccountDependencies } from './accounts/find-account.ts';
import { accountRoutes } from './accounts/routes.ts';
import type { ListBalancesDependencies } from './balances/list-balances.ts';
import { balanceRoutes } from './balances/routes.ts';
import type { ListBlocksDependencies } from './blocks/list-blocks.ts';
import { blockRoutes } from './blocks/routes.ts';
import type { FindContractDependencies } from './contracts/find-contract.ts';
import { contractRoutes } from './contracts/routes.ts';
import { WATERMARK_HEADER, type Watermark } from './ledger/watermark.ts';
import { type ListNodesDependencies, listNodes } from './network/list-nodes.ts';
import type { NetworkService } from './network/network-service.ts';
import { listRegisteredNodes, type RegisteredNodesDependencies } from './network/registered-nodes.ts';
import {
  ExchangeRateAnswer,
  ExchangeRateQuery,
  GasPriceAnswer,
  GasPriceQuery,
  NodesAnswer,
  NodesQuery,
  RegisteredNodesAnswer,
  RegisteredNodesQuery,
  StakeAnswer,
  SupplyAnswer,
  SupplyQuery,
} from './network/schemas.ts';
import { sendReady } from './ready-answer.ts';
import { documented, targetOf } from './route-schema.ts';
import { type FindDependencies, findTransaction } from './transactions/find-transaction.ts';
import type { ListRoute } from './transactions/list-route.ts';
import { TransactionAnswer, TransactionPath, TransactionQuery } from './transactions/schemas.ts';

export interface MirrorRoutesDependencies {
  readonly watermark: Watermark;
  readonly list: ListRoute;
  readonly find: FindDependencies;
  readonly network: NetworkService;
  readonly nodes: ListNodesDependencies;
  readonly registeredNodes: RegisteredNodesDependencies;
  readonly accounts: FindAccountDependencies;
  readonly balances: ListBalancesDependencies;
  readonly blocks: ListBlocksDependencies;
  readonly contracts: FindContractDependencies;
}

const NETWORK_SECONDS = 60;
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * The GET routes below `/api/v1`. Queries are read from the request target by each route's own parser, which
 * accepts more than the documented form.
 *
 * @see contracts/mirror-transactions.md, contracts/mirror-network.md
 */
export function mirrorRoutes(dependencies: MirrorRoutesDependencies): FastifyPluginAsync {
  const { network, nodes, find, watermark } = dependencies;

  const otherRoutes: FastifyPluginAsync = async (app) => {
    app.addHook('onSend', (_request, reply, payload, done) => {
      const tell = (end: string | null) => {
        if (end !== null) reply.header(WATERMARK_HEADER, end);
        done(null, payload);
      };
      try {
        const end = reply.statusCode < 400 ? watermark() : null;
        if (end instanceof Promise) end.then(tell, done);
        else tell(end);
      } catch (error) {
        done(error as Error);
      }
    });

    app.get<{ Params: { idOrHash: string } }>(
      '/api/v1/transactions/:idOrHash',
      {
        schema: {
          ...documented('Transactions of one id or hash', {
            query: TransactionQuery,
            answer: TransactionAnswer,
          }),
          params: TransactionPath,
        },
      },
      async (request, reply) => {
        const { json, maxAgeSeconds } = await findTransaction(
          request.params.idOrHash,
          targetOf(request),
          find,
        );
        return sendReady(request, reply, { body: json, maxAgeSeconds });
      },
    );

    app.get(
      '/api/v1/network/supply',
      { schema: documented('Supply of the native currency', { query: SupplyQuery, answer: SupplyAnswer }) },
      async (request, reply) => {
        const { body, isText } = await network.supply(targetOf(request));
        return sendReady(request, reply, {
          body,
          maxAgeSeconds: NETWORK_SECONDS,
          ...(isText ? { contentType: TEXT_TYPE } : {}),
        });
      },
    );

    app.get(
      '/api/v1/network/fees',
      { schema: documented('Gas prices', { query: GasPriceQuery, answer: GasPriceAnswer }) },
      async (request, reply) => sendDocument(request, reply, await network.gasPrices(targetOf(request))),
    );

    app.get(
      '/api/v1/network/exchangerate',
      { schema: documented('Exchange rates', { query: ExchangeRateQuery, answer: ExchangeRateAnswer }) },
      async (request, reply) => sendDocument(request, reply, await network.exchangeRate(targetOf(request))),
    );

    app.get(
      '/api/v1/network/nodes',
      { schema: documented('Address book nodes', { query: NodesQuery, answer: NodesAnswer }) },
      async (request, reply) => {
        const { json, next } = await listNodes(targetOf(request), nodes);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: NETWORK_SECONDS });
      },
    );

    app.get(
      '/api/v1/network/stake',
      { schema: documented('Staking information', { query: Type.Object({}), answer: StakeAnswer }) },
      async (request, reply) => sendDocument(request, reply, await network.stake(targetOf(request))),
    );

    app.get(
      '/api/v1/network/registered-nodes',
      {
        schema: documented('Registered nodes', {
          query: RegisteredNodesQuery,
          answer: RegisteredNodesAnswer,
        }),
      },
      async (request, reply) =>
        sendDocument(request, reply, listRegisteredNodes(targetOf(request), dependencies.registeredNodes)),
    );

    await app.register(accountRoutes(dependencies.accounts));
    await app.register(balanceRoutes(dependencies.balances));
    await app.register(blockRoutes(dependencies.blocks));
    await app.register(contractRoutes(dependencies.contracts));
  };

  return async (app) => {
    app.setValidatorCompiler(() => () => true);
    await app.register(dependencies.list.routes);
    await app.register(otherRoutes);
  };
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  return sendReady(request, reply, { body, maxAgeSeconds: NETWORK_SECONDS });
}
