import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../values/clock.ts';
import { printTimestamp } from '../values/consensus-timestamp.ts';
import type { FindAccountDependencies } from './accounts/find-account.ts';
import { accountRoutes } from './accounts/routes.ts';
import type { ListBalancesDependencies } from './balances/list-balances.ts';
import { balanceRoutes } from './balances/routes.ts';
import type { ListBlocksDependencies } from './blocks/list-blocks.ts';
import { blockRoutes } from './blocks/routes.ts';
import type { FindContractDependencies } from './contracts/find-contract.ts';
import { contractRoutes } from './contracts/routes.ts';
import type { LedgerReader } from './ledger/ledger-reader.ts';
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
import {
  createTransactionList,
  type ListAnswer,
  type ListDependencies,
  printPage,
} from './transactions/list-transactions.ts';
import { createPageBuffers } from './transactions/page-buffers.ts';
import {
  TransactionAnswer,
  TransactionListAnswer,
  TransactionListQuery,
  TransactionPath,
  TransactionQuery,
} from './transactions/schemas.ts';

export interface MirrorRoutesDependencies {
  readonly clock: Clock;
  readonly ledger: LedgerReader;
  readonly list: ListDependencies;
  readonly find: FindDependencies;
  readonly network: NetworkService;
  readonly nodes: ListNodesDependencies;
  readonly registeredNodes: RegisteredNodesDependencies;
  readonly accounts: FindAccountDependencies;
  readonly balances: ListBalancesDependencies;
  readonly blocks: ListBlocksDependencies;
  readonly contracts: FindContractDependencies;
}

const LIST_SECONDS = 2;
const NETWORK_SECONDS = 60;
/** How long the watermark may be behind, so that pages need not ask for it each time. */
const WATERMARK_MS = 500;
const WATERMARK_HEADER = 'x-last-block-consensus-timestamp';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * The GET routes below `/api/v1`. Queries are read from the request target by each route's own parser, which
 * accepts more than the documented form.
 *
 * @see contracts/mirror-transactions.md, contracts/mirror-network.md
 */
export function mirrorRoutes(dependencies: MirrorRoutesDependencies): FastifyPluginAsync {
  const { clock, find, ledger, list, network, nodes } = dependencies;
  const watermark = cachedWatermark(ledger, clock);
  const listTransactions = createTransactionList(list);

  const buffers = createPageBuffers();
  const sendList = (request: FastifyRequest, reply: FastifyReply, answer: ListAnswer): FastifyReply => {
    const end = watermark();
    if (end !== null) reply.header(WATERMARK_HEADER, end);
    const body = () => {
      const printed = printPage(answer, buffers);
      // Only then the socket has read it to its end.
      reply.raw.once('finish', () => buffers.giveBack(printed));
      return printed;
    };
    const { next, version } = answer;
    return sendReady(request, reply, { body, next, version, maxAgeSeconds: LIST_SECONDS });
  };

  /** A scope of its own: what a hook costs shows in the rate of this route. */
  const listRoute: FastifyPluginAsync = async (app) => {
    app.get(
      '/api/v1/transactions',
      {
        schema: documented('List transactions', {
          query: TransactionListQuery,
          answer: TransactionListAnswer,
        }),
      },
      (request, reply) => {
        const found = listTransactions(targetOf(request));
        if (found instanceof Promise) return found.then((answer) => sendList(request, reply, answer));
        // Nothing to wait for: what was returned here would be waited for.
        sendList(request, reply, found);
        return undefined;
      },
    );
  };

  const otherRoutes: FastifyPluginAsync = async (app) => {
    app.addHook('onSend', (_request, reply, payload, done) => {
      try {
        const end = reply.statusCode < 400 ? watermark() : null;
        if (end !== null) reply.header(WATERMARK_HEADER, end);
      } catch (error) {
        done(error as Error);
        return;
      }
      done(null, payload);
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
    await app.register(listRoute);
    await app.register(otherRoutes);
  };
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  return sendReady(request, reply, { body, maxAgeSeconds: NETWORK_SECONDS });
}

/** @see contracts/mirror-transactions.md section 7, x-last-block-consensus-timestamp */
function cachedWatermark(ledger: LedgerReader, clock: Clock): () => string | null {
  let value: string | null = null;
  let readAt: number | null = null;
  return () => {
    const now = clock.now();
    if (readAt === null || Math.abs(now - readAt) >= WATERMARK_MS) {
      const end = ledger.newestConsensusEnd();
      value = end === null ? null : printTimestamp(end);
      readAt = now;
    }
    return value;
  };
}
