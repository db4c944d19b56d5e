import type { FastifyRequest } from 'fastify';
import { MirrorError } from './error-schema.ts';

/** What the API documentation tells of a GET route; queries are read by each route's own parser. */
export function documented<Query, Answer>(summary: string, shapes: { query: Query; answer: Answer }) {
  return {
    summary,
    tags: ['mirror'],
    querystring: shapes.query,
    response: { 200: shapes.answer, 400: MirrorError, 404: MirrorError },
  };
}

/** The target as the client sent it; what a router rewrote for matching does not belong into links. */
export function targetOf(request: FastifyRequest): string {
  return request.originalUrl;
}
