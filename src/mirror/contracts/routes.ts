import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type FindContractDependencies, findContract } from './find-contract.ts';
import { ContractAnswer, ContractPath, ContractQuery } from './schemas.ts';

/** `GET /api/v1/contracts/{contractIdOrAddress}`. @see contracts/mirror-roadmap.md, contracts */
export function contractRoutes(dependencies: FindContractDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { contractIdOrAddress: string } }>(
      '/api/v1/contracts/:contractIdOrAddress',
      {
        schema: {
          ...documented('One contract', { query: ContractQuery, answer: ContractAnswer }),
          params: ContractPath,
        },
      },
      async (request, reply) => {
        const { contractIdOrAddress } = request.params;
        const body = await findContract(contractIdOrAddress, targetOf(request), dependencies);
        return sendReady(request, reply, { body, maxAgeSeconds: STATE_SECONDS });
      },
    );
  };
}
