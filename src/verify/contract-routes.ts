import { Type } from '@sinclair/typebox';
import { sendJson } from '../http/answers/piecewise-answer.ts';
import { normaliseAddress } from './address.ts';
import { ContractRecord } from './contract-schemas.ts';
import type { ContractMatch } from './contracts/contract-repository.sql.ts';
import { viewContract, viewMatch, viewSummary, viewUnverified } from './contracts/contract-view.ts';
import { readFieldSelection, selectFields } from './contracts/field-selection.ts';
import { lookUpContract, resolveStoredProxy } from './contracts/look-up-contract.ts';
import { isHeld, lookupTag } from './contracts/lookup-tag.ts';
import * as schemas from './schemas.ts';
import type { VerifyContext } from './verify-context.ts';
import type { VerifyScope } from './verify-scope.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;
/** Fields that need neither code nor the output of the compiler, and those that need more than the compilation. */
const IN_SUMMARY: ReadonlySet<string> = new Set(['compilation', 'deployment']);
const WITH_FILES = ['sources', 'stdJsonInput', 'signatures'];

/** Verified contracts and lists of them. @see contracts/verification-api.md sections 5 and 6 */
export function addContractRoutes(scope: VerifyScope, context: VerifyContext): void {
  const { service, contracts, build } = context;
  scope.get(
    '/v2/contract/:chainId/:address',
    {
      schema: {
        tags,
        summary: 'Look up a verified contract',
        params: schemas.ContractParams,
        querystring: schemas.LookupQuery,
        response: {
          200: ContractRecord,
          304: schemas.NotModified,
          400: ErrorBody,
          404: schemas.UnverifiedContract,
          500: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      service.requireChain(params.chainId);
      const selection = readFieldSelection(query.fields, query.omit);
      const address = normaliseAddress(params.address);
      const match = await contracts.findMatch(params.chainId, address);
      if (match === null) {
        reply.code(404).header('cache-control', 'no-cache');
        return reply.send(viewUnverified(params.chainId, address));
      }
      // What a proxy points to may change at any time, so such a record has no tag.
      if (selection.has('proxyResolution')) reply.header('cache-control', 'no-cache');
      else if (isHeld(request, reply, lookupTag([match], build.version)))
        return reply.code(304).send(undefined);
      if (selection.size === 0) return viewMatch(match);
      if ([...selection.keys()].every((field) => IN_SUMMARY.has(field))) {
        const summary = requireStored(match, await contracts.findSummary(params.chainId, address));
        const record = selectFields(viewSummary(summary), selection);
        return sendJson(reply, { ...viewMatch(summary.match), ...record });
      }
      const withFiles = WITH_FILES.some((field) => selection.has(field));
      const contract = requireStored(
        match,
        await lookUpContract(context, params.chainId, address, reply.raw, withFiles),
      );
      const proxyResolution = selection.has('proxyResolution')
        ? await resolveStoredProxy(context, contract)
        : null;
      const record = viewContract(contract, proxyResolution);
      return sendJson(reply, { ...viewMatch(contract.match), ...selectFields(record, selection) });
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
          304: schemas.NotModified,
          400: ErrorBody,
          404: schemas.ContractList,
          500: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      const matches = await contracts.listMatchesOfAddress(normaliseAddress(request.params.address));
      if (matches.length === 0) {
        return reply.code(404).header('cache-control', 'no-cache').send({ results: [] });
      }
      if (isHeld(request, reply, lookupTag(matches, build.version))) return reply.code(304).send(undefined);
      return { results: matches.map(viewMatch) };
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
    async ({ params, query }, reply) => {
      service.requireChain(params.chainId);
      reply.header('cache-control', 'no-cache');
      const afterMatchId = query.afterMatchId === undefined ? null : BigInt(query.afterMatchId);
      const window = { sort: query.sort, limit: query.limit, afterMatchId };
      const matches = await contracts.listMatchesOfChain(params.chainId, window);
      return { results: matches.map(viewMatch) };
    },
  );
}

/** @throws Error for a match whose contract is not stored, which nothing deletes. */
function requireStored<T>({ matchId }: ContractMatch, found: T | null): T {
  if (found === null) throw new Error(`The match ${matchId} has no contract`);
  return found;
}
