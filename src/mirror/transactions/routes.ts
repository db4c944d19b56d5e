import type { FastifyPluginAsync } from 'fastify';
import { sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { type FindDependencies, findTransaction } from './find-transaction.ts';
import { TransactionAnswer, TransactionPath, TransactionQuery } from './schemas.ts';

/** `GET /api/v1/transactions/{idOrHash}`; the list is in `list-route.ts`. @see contracts/mirror-transactions.md */
export function transactionRoutes(find: FindDependencies): FastifyPluginAsync {
  return async (app) => {
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
  };
}
