import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { foundText } from '../kept-answers.ts';
import { serveList } from '../lists/list.ts';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { EXCHANGE_RATES } from './exchange-rate.ts';
import { type NetworkService, SUPPLY } from './network-service.ts';
import { type NodeContext, nodeList, registeredNodeList } from './node-lists.ts';
import { ExchangeRateQuery, GasPriceAnswer, GasPriceQuery, StakeAnswer, SupplyQuery } from './schemas.ts';

interface NetworkRoutesDependencies {
  readonly network: NetworkService;
  readonly lists: NodeContext;
}

const SUPPLY_PATH = '/api/v1/network/supply';
const NETWORK_SECONDS = 60;
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** `GET /api/v1/network/…`, but for fee estimates. @see contracts/mirror-network.md */
export function networkRoutes({ lists, network }: NetworkRoutesDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get(
      SUPPLY_PATH,
      { schema: documented('Supply of the native currency', { query: SupplyQuery, answer: SUPPLY.schema }) },
      async (request, reply) => {
        const target = targetOf(request);
        const found = async () => {
          const { body, isText } = await network.supply(target);
          const type = isText ? { contentType: TEXT_TYPE } : {};
          return foundText(SUPPLY_PATH, { body, maxAgeSeconds: NETWORK_SECONDS, ...type });
        };
        return sendReady(request, reply, await (lists.kept?.answer(target, found) ?? found()));
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
      { schema: documented('Exchange rates', { query: ExchangeRateQuery, answer: EXCHANGE_RATES.schema }) },
      async (request, reply) => sendDocument(request, reply, await network.exchangeRate(targetOf(request))),
    );

    serveList(app, nodeList, lists);

    app.get(
      '/api/v1/network/stake',
      { schema: documented('Staking information', { query: Type.Object({}), answer: StakeAnswer }) },
      async (request, reply) => sendDocument(request, reply, await network.stake(targetOf(request))),
    );

    serveList(app, registeredNodeList, lists);
  };
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  return sendReady(request, reply, { body, maxAgeSeconds: NETWORK_SECONDS });
}
