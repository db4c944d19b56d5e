import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import { normaliseAddress } from './address.ts';
import { viewChains } from './chain-view.ts';
import type { ContractRepository } from './contract-repository.ts';
import { viewContract, viewMatch, viewUnverified } from './contract-view.ts';
import { readFieldSelection, selectFields } from './field-selection.ts';
import { viewJob } from './job-view.ts';
import { addJsonBodyParser, MAX_BODY_BYTES, requireJsonBody } from './request-body.ts';
import { createRequestValidatorCompiler } from './request-validator.ts';
import * as schemas from './schemas.ts';
import type { VerifyService } from './verify-service.ts';

/** What `GET /version` says about the build. */
export interface BuildInformation {
  readonly version: string;
  /** `unknown` when not built in. */
  readonly gitCommit: string;
}

/** What the routes answer from. */
export interface VerifyRoutesParts {
  readonly service: VerifyService;
  readonly contracts: ContractRepository;
  readonly chains: Parameters<typeof viewChains>[0];
  readonly build: BuildInformation;
}

const tags = ['verify'];
const { ErrorBody } = schemas;

/** The routes of area A. @see contracts/verification-api.md section 1 */
export function createVerifyRoutes({
  service,
  contracts,
  chains,
  build,
}: VerifyRoutesParts): FastifyPluginAsync {
  return async (instance) => {
    const scope = instance.withTypeProvider<TypeBoxTypeProvider>();
    scope.setValidatorCompiler(createRequestValidatorCompiler());
    addJsonBodyParser(instance);

    scope.post(
      '/v2/verify/:chainId/:address',
      {
        bodyLimit: MAX_BODY_BYTES,
        onRequest: requireJsonBody,
        schema: {
          tags,
          summary: 'Submit source code for verification',
          params: schemas.ContractParams,
          querystring: schemas.NoQuery,
          body: schemas.SubmissionRequest,
          response: {
            202: schemas.SubmissionAccepted,
            400: ErrorBody,
            409: ErrorBody,
            413: ErrorBody,
            429: ErrorBody,
            500: ErrorBody,
            503: ErrorBody,
          },
        },
      },
      async ({ params, body }, reply) => {
        const verificationId = await service.submit(params.chainId, params.address, body);
        return reply.code(202).header('Location', `/v2/verify/${verificationId}`).send({ verificationId });
      },
    );

    scope.get(
      '/v2/verify/:verificationId',
      {
        schema: {
          tags,
          summary: 'Follow a verification',
          params: Type.Object({ verificationId: schemas.VerificationId }),
          querystring: schemas.NoQuery,
          response: { 200: schemas.JobView, 400: ErrorBody, 404: ErrorBody, 500: ErrorBody },
        },
      },
      async ({ params }) => viewJob(await service.follow(params.verificationId)),
    );

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

    scope.get(
      '/chains',
      {
        schema: {
          tags,
          summary: 'List the configured chains',
          querystring: schemas.NoQuery,
          response: { 200: Type.Array(schemas.ChainView), 400: ErrorBody },
        },
      },
      async () => viewChains(chains),
    );

    scope.get(
      '/version',
      {
        schema: {
          tags,
          summary: 'Build information',
          querystring: schemas.NoQuery,
          response: { 200: schemas.VersionView, 400: ErrorBody },
        },
      },
      async () => ({
        name: 'ledgerlens',
        version: build.version,
        // The names that clients of the reference expect; all of it is one program here.
        sourcifyServerVersion: build.version,
        libSourcifyVersion: build.version,
        sourcifyCompilersVersion: build.version,
        bytecodeUtilsVersion: build.version,
        gitCommitHash: build.gitCommit,
      }),
    );

    scope.get(
      '/health',
      {
        schema: {
          tags,
          summary: 'Fixed text while the server runs',
          response: { 200: Type.String({ const: 'Alive and kicking!' }) },
        },
      },
      async (_request, reply) => reply.type('text/html; charset=utf-8').send('Alive and kicking!'),
    );
  };
}
