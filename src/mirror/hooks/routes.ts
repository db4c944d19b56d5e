import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { listHookStorage } from './list-hook-storage.ts';
import { type HookDependencies, listHooks } from './list-hooks.ts';
import {
  HookStorageAnswer,
  HookStoragePath,
  HookStorageQuery,
  HooksAnswer,
  HooksPath,
  HooksQuery,
} from './schemas.ts';

/** `GET /api/v1/accounts/{id}/hooks` and the storage of one. @see contracts/mirror-entities.md section 10 */
export function hookRoutes(dependencies: HookDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { idOrAliasOrEvmAddress: string } }>(
      '/api/v1/accounts/:idOrAliasOrEvmAddress/hooks',
      {
        schema: {
          ...documented('Hooks of an account', { query: HooksQuery, answer: HooksAnswer }),
          params: HooksPath,
        },
      },
      async (request, reply) => {
        const { idOrAliasOrEvmAddress: account } = request.params;
        const { json, next } = await listHooks(account, targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<{ Params: { idOrAliasOrEvmAddress: string; hookId: string } }>(
      '/api/v1/accounts/:idOrAliasOrEvmAddress/hooks/:hookId/storage',
      {
        schema: {
          ...documented('Storage of a hook', { query: HookStorageQuery, answer: HookStorageAnswer }),
          params: HookStoragePath,
        },
      },
      async (request, reply) => {
        const { hookId, idOrAliasOrEvmAddress: account } = request.params;
        const { json, next } = await listHookStorage(account, hookId, targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );
  };
}
