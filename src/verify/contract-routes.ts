import { Type } from '@sinclair/typebox';
import { normaliseAddress } from './address.ts';
import type { ContractRepository } from './contract-repository.ts';
import { viewContract, viewMatch, viewUnverified } from './contract-view.ts';
import { readFieldSelection, selectFields } from './field-selection.ts';
import * as schemas from './schemas.ts';
import type { VerifyScope } from './verify-scope.ts';
import type { VerifyService } from './verify-service.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;

/** What the routes of verified contracts answer from. */
export interface ContractRoutesParts {
  readonly service: VerifyService;
  readonly contracts: ContractRepository;
}

/** Verified contracts and lists of them. @see contracts/verification-api.md sections 5 and 6 */
export function addContractRoutes(scope: VerifyScope, { service, contracts }: ContractRoutesParts): void {
  scope.get(
    '/v2/contract/:chainId/:address',
    {
      schema: {
        tags,
        summary: 'Look up a verified contract',
        params: schemas.ContractParams,
        querystring: schemas.LookupQuery,
        response: {
          200: schemas.ContractRecord,
          400: ErrorBody,
          404: schemas.UnverifiedContract,
          500: ErrorBody,
        },
      },
    },
    async ({ params, query }, reply) => {
      service.requireChain(params.chainId);
      const selection = readFieldSelection(query.fields, query.omit);
      const address = normaliseAddress(params.address);
      if (selection.size === 0) {
        const match = await contracts.findMatch(params.chainId, address);
        if (match !== null) return viewMatch(match);
      } else {
        const contract = await contracts.findContract(params.chainId, address);
        if (contract !== null) {
          return { ...viewMatch(contract.match), ...selectFields(viewContract(contract), selection) };
        }
      }
      return reply.code(404).send(viewUnverified(params.chainId, address));
    },
  );

  scope.get(
    '/v2/contract/all-chains/:address',
    {
      schema: {
        tags,
        summary: 'Look up an address on every chain',
        params: Type.Object({ address: schemas.Address }),
        querystring: schemas.NoQuery,
        response: {
          200: schemas.ContractList,
          400: ErrorBody,
          404: schemas.ContractList,
          500: ErrorBody,
        },
      },
    },
    async ({ params }, reply) => {
      const matches = await contracts.listMatchesOfAddress(normaliseAddress(params.address));
      return reply.code(matches.length === 0 ? 404 : 200).send({ results: matches.map(viewMatch) });
    },
  );

  scope.get(
    '/v2/contracts/:chainId',
    {
      schema: {
        tags,
        summary: 'List the verified contracts of a chain',
        params: Type.Object({ chainId: schemas.ChainId }),
        querystring: schemas.ListQuery,
        response: { 200: schemas.ContractList, 400: ErrorBody, 500: ErrorBody },
      },
    },
    async ({ params, query }) => {
      service.requireChain(params.chainId);
      const afterMatchId = query.afterMatchId === undefined ? null : BigInt(query.afterMatchId);
      const window = { sort: query.sort, limit: query.limit, afterMatchId };
      const matches = await contracts.listMatchesOfChain(params.chainId, window);
      return { results: matches.map(viewMatch) };
    },
  );
}
