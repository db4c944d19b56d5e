import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type ListNodesDependencies, listNodes } from './list-nodes.ts';
import type { NetworkService } from './network-service.ts';
import { listRegisteredNodes, type RegisteredNodesDependencies } from './registered-nodes.ts';
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
} from './schemas.ts';

export interface NetworkRoutesDependencies {
  readonly network: NetworkService;
  readonly nodes: ListNodesDependencies;
  readonly registeredNodes: RegisteredNodesDependencies;
}

const NETWORK_SECONDS = 60;
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** `GET /api/v1/network/…`, but for fee estimates. @see contracts/mirror-network.md */
export function networkRoutes({
  network,
  nodes,
  registeredNodes,
}: NetworkRoutesDependencies): FastifyPluginAsync {
  return async (app) => {
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
      async (request, reply) => {
        const { json, standIn } = await network.gasPrices(targetOf(request));
        if (standIn !== null) reply.header('x-fee-schedule', standIn);
        return sendDocument(request, reply, json);
      },
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
      async (request, reply) => {
        const { json, next } = await listRegisteredNodes(targetOf(request), registeredNodes);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: NETWORK_SECONDS });
      },
    );
  };
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  return sendReady(request, reply, { body, maxAgeSeconds: NETWORK_SECONDS });
}
