import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { notImplementedError } from '../errors.ts';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type ActionDependencies, listActions } from './actions/list-actions.ts';
import { type FindContractDependencies, findContract } from './find-contract.ts';
import { type ListContractsDependencies, listContracts } from './list-contracts.ts';
import { type LogListDependencies, listContractLogs, listLogs } from './logs/list-logs.ts';
import {
  findResult,
  findResultAtTime,
  type ResultAnswer,
  type ResultDependencies,
} from './results/find-result.ts';
import { listContractResults, listResults } from './results/list-results.ts';
import {
  ActionListAnswer,
  ActionListQuery,
  ContractAnswer,
  ContractListAnswer,
  ContractListQuery,
  ContractLogListQuery,
  ContractPath,
  ContractQuery,
  ContractResultListAnswer,
  ContractResultListQuery,
  ContractResultPath,
  ContractStateAnswer,
  ContractStateQuery,
  LogListAnswer,
  LogListQuery,
  ResultAnswer as ResultAnswerSchema,
  ResultAtTimeQuery,
  ResultListAnswer,
  ResultListQuery,
  ResultPath,
  ResultQuery,
} from './schemas.ts';
import { type ContractStateDependencies, listContractState } from './state/list-contract-state.ts';

export interface ContractDependencies {
  readonly one: FindContractDependencies;
  readonly list: ListContractsDependencies;
  readonly results: ResultDependencies;
  readonly logs: LogListDependencies;
  readonly state: ContractStateDependencies;
  readonly actions: ActionDependencies;
}

/** Lists that every client asks for alike. */
const LIST_SECONDS = 10;
/** A result does not change. */
const RESULT_SECONDS = 600;
/** It may still grow. */
const PARTIAL_SECONDS = 5;
const PARTIAL = 206;

type OfContract = { Params: { contractIdOrAddress: string } };
type OfTransaction = { Params: { transactionIdOrHash: string } };

/** `GET /api/v1/contracts…`. @see contracts/mirror-contracts.md */
export function contractRoutes(dependencies: ContractDependencies): FastifyPluginAsync {
  const { actions, list, logs, one, results, state } = dependencies;
  const params = ContractPath;
  return async (app) => {
    app.get(
      '/api/v1/contracts',
      { schema: documented('Contracts', { query: ContractListQuery, answer: ContractListAnswer }) },
      async (request, reply) => {
        const { json, next } = await listContracts(targetOf(request), list);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: LIST_SECONDS });
      },
    );

    app.get(
      '/api/v1/contracts/results',
      {
        schema: documented('Results of all contracts', { query: ResultListQuery, answer: ResultListAnswer }),
      },
      async (request, reply) => {
        const { json, next } = await listResults(targetOf(request), results);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: LIST_SECONDS });
      },
    );

    app.get(
      '/api/v1/contracts/results/logs',
      { schema: documented('Logs of all contracts', { query: LogListQuery, answer: LogListAnswer }) },
      async (request, reply) => {
        const { json, next } = await listLogs(targetOf(request), logs);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: LIST_SECONDS });
      },
    );

    app.get<OfTransaction>(
      '/api/v1/contracts/results/:transactionIdOrHash',
      {
        schema: {
          ...documented('One result by transaction', { query: ResultQuery, answer: ResultAnswerSchema }),
          params: ResultPath,
        },
      },
      async (request, reply) => {
        const { transactionIdOrHash } = request.params;
        return sendResult(request, reply, await findResult(transactionIdOrHash, targetOf(request), results));
      },
    );

    app.get<OfTransaction>(
      '/api/v1/contracts/results/:transactionIdOrHash/actions',
      {
        schema: {
          ...documented('Execution trace of a transaction', {
            query: ActionListQuery,
            answer: ActionListAnswer,
          }),
          params: ResultPath,
        },
      },
      async (request, reply) => {
        const { json, next } = await listActions(
          request.params.transactionIdOrHash,
          targetOf(request),
          actions,
        );
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: RESULT_SECONDS });
      },
    );

    app.get<OfTransaction>(
      '/api/v1/contracts/results/:transactionIdOrHash/opcodes',
      { schema: { hide: true } },
      async () => {
        throw notImplementedError(NO_EVM);
      },
    );

    app.post('/api/v1/contracts/call', { schema: { hide: true } }, async () => {
      throw notImplementedError(NO_EVM);
    });

    app.get<OfContract>(
      '/api/v1/contracts/:contractIdOrAddress',
      { schema: { ...documented('One contract', { query: ContractQuery, answer: ContractAnswer }), params } },
      async (request, reply) => {
        const { contractIdOrAddress } = request.params;
        const body = await findContract(contractIdOrAddress, targetOf(request), one);
        return sendReady(request, reply, { body, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<OfContract>(
      '/api/v1/contracts/:contractIdOrAddress/results',
      {
        schema: {
          ...documented('Results of a contract', {
            query: ContractResultListQuery,
            answer: ContractResultListAnswer,
          }),
          params,
        },
      },
      async (request, reply) => {
        const { contractIdOrAddress } = request.params;
        const { json, next } = await listContractResults(contractIdOrAddress, targetOf(request), results);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<OfContract>(
      '/api/v1/contracts/:contractIdOrAddress/results/logs',
      {
        schema: {
          ...documented('Logs of a contract', { query: ContractLogListQuery, answer: LogListAnswer }),
          params,
        },
      },
      async (request, reply) => {
        const { contractIdOrAddress } = request.params;
        const { json, next } = await listContractLogs(contractIdOrAddress, targetOf(request), logs);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<{ Params: { contractIdOrAddress: string; timestamp: string } }>(
      '/api/v1/contracts/:contractIdOrAddress/results/:timestamp',
      {
        schema: {
          ...documented('One result by contract and time', {
            query: ResultAtTimeQuery,
            answer: ResultAnswerSchema,
          }),
          params: ContractResultPath,
        },
      },
      async (request, reply) => {
        const { contractIdOrAddress, timestamp } = request.params;
        const found = await findResultAtTime(contractIdOrAddress, timestamp, targetOf(request), results);
        return sendResult(request, reply, found);
      },
    );

    app.get<OfContract>(
      '/api/v1/contracts/:contractIdOrAddress/state',
      {
        schema: {
          ...documented('Storage of a contract', { query: ContractStateQuery, answer: ContractStateAnswer }),
          params,
        },
      },
      async (request, reply) => {
        const { contractIdOrAddress } = request.params;
        const { json, next } = await listContractState(contractIdOrAddress, targetOf(request), state);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );
  };
}

const NO_EVM =
  'Running a contract needs an EVM with the system contracts of the network and the code and storage of every contract that is called, which this server does not have; ask a node of the network or a mirror that runs contracts.';

/** 206 tells that what the EVM answered is not known. */
function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  { isWhole, json }: ResultAnswer,
): FastifyReply {
  if (!isWhole) reply.code(PARTIAL);
  return sendReady(request, reply, { body: json, maxAgeSeconds: isWhole ? RESULT_SECONDS : PARTIAL_SECONDS });
}
