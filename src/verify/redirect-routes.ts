import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesType } from '../http/accept.ts';
import * as schemas from './schemas.ts';
import type { VerifyContext } from './verify-context.ts';
import type { VerifyScope } from './verify-scope.ts';

/** Sends the page of the contract that a path names. */
export type ShowContract = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const { ErrorBody } = schemas;
const hidden = { hide: true, querystring: schemas.NoQuery, response: { 302: Type.Null(), 400: ErrorBody } };

/**
 * The links that clients print for people.
 *
 * Only checked parameters get into `Location`, so that nobody is led to another site.
 *
 * @see contracts/verification-api.md section 11
 */
export function addRedirectRoutes(
  scope: VerifyScope,
  { site: { root: publicPath }, options: { contractPagesUrl } }: VerifyContext,
  showContract: ShowContract,
): void {
  scope.get(
    '/repo-ui/:chainId/:address',
    { schema: { ...hidden, params: schemas.ContractParams }, attachValidation: true, compress: false },
    async (request, reply) => {
      const isForPeople = contractPagesUrl === null && namesType(request.headers.accept, 'text/html');
      if (isForPeople) return showContract(request, reply);
      if (request.validationError !== undefined) throw request.validationError;
      const { chainId, address } = request.params;
      if (contractPagesUrl === null) reply.header('vary', 'Accept');
      return reply.redirect(`${contractPagesUrl ?? `${publicPath}/v2/contract`}/${chainId}/${address}`, 302);
    },
  );
  const elsewhere = [
    // Where explorers and clients of version 1 link to contracts in a repository of files.
    ...['', '/contracts/full_match', '/contracts/partial_match'].map(
      (folder) => `/repository${folder}/:chainId/:address`,
    ),
    // What clients of Etherscan's API append to the address of an explorer.
    '/repo-ui/:chainId/address/:address',
  ];
  for (const path of elsewhere) {
    scope.get(path, { schema: { ...hidden, params: schemas.ContractParams } }, async ({ params }, reply) =>
      reply.redirect(`${publicPath}/repo-ui/${params.chainId}/${params.address}`, 302),
    );
  }
  scope.get('/verify', { schema: hidden }, async (_request, reply) =>
    reply.redirect(`${publicPath}/verify-ui`, 302),
  );
}
