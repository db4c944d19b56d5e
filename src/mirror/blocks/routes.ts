import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import { STATE_SECONDS, sendReady } from '../ready-answer.ts';
import { documented, targetOf } from '../route-schema.ts';
import { findBlock } from './find-block.ts';
import { type ListBlocksDependencies, listBlocks } from './list-blocks.ts';
import { BlockAnswer, BlockListAnswer, BlockListQuery, BlockPath } from './schemas.ts';

/** A block does not change. */
const BLOCK_SECONDS = 600;

/** `GET /api/v1/blocks` and `/api/v1/blocks/{hashOrNumber}`. @see contracts/mirror-roadmap.md, blocks */
export function blockRoutes(dependencies: ListBlocksDependencies): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/api/v1/blocks',
      { schema: documented('List blocks', { query: BlockListQuery, answer: BlockListAnswer }) },
      async (request, reply) => {
        const { json, next } = await listBlocks(targetOf(request), dependencies);
        return sendReady(request, reply, { body: json, next, maxAgeSeconds: STATE_SECONDS });
      },
    );

    app.get<{ Params: { hashOrNumber: string } }>(
      '/api/v1/blocks/:hashOrNumber',
      {
        schema: {
          ...documented('One block by number or hash', { query: Type.Object({}), answer: BlockAnswer }),
          params: BlockPath,
        },
      },
      async (request, reply) => {
        const body = await findBlock(request.params.hashOrNumber, targetOf(request), dependencies);
        return sendReady(request, reply, { body, maxAgeSeconds: BLOCK_SECONDS });
      },
    );
  };
}
