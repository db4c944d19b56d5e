import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from './documents/accepts-gzip.ts';
import type { PreparedDocument } from './documents/prepared-documents.ts';
import type { DocumentPath } from './documents/public-documents.ts';
import {
  ComponentsDocumentSchema,
  IncidentsDocumentSchema,
  MaintenancesDocumentSchema,
  StatusDocumentSchema,
  SummarySchema,
} from './documents/schemas.ts';

const CACHE_CONTROL = 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400';

interface DocumentRoute {
  readonly path: DocumentPath;
  readonly summary: string;
  readonly schema: TSchema;
}

/** The public documents, each with the schema that describes it. */
export const DOCUMENT_ROUTES: readonly DocumentRoute[] = [
  { path: '/api/v2/summary.json', summary: 'Status summary', schema: SummarySchema },
  { path: '/api/v2/status.json', summary: 'Overall status', schema: StatusDocumentSchema },
  { path: '/api/v2/components.json', summary: 'Components and groups', schema: ComponentsDocumentSchema },
  { path: '/api/v2/incidents.json', summary: 'The 50 newest incidents', schema: IncidentsDocumentSchema },
  { path: '/api/v2/incidents/unresolved.json', summary: 'Open incidents', schema: IncidentsDocumentSchema },
  {
    path: '/api/v2/scheduled-maintenances.json',
    summary: 'The 50 latest maintenances',
    schema: MaintenancesDocumentSchema,
  },
  {
    path: '/api/v2/scheduled-maintenances/upcoming.json',
    summary: 'Maintenances that have not begun',
    schema: MaintenancesDocumentSchema,
  },
  {
    path: '/api/v2/scheduled-maintenances/active.json',
    summary: 'Maintenances in progress or being verified',
    schema: MaintenancesDocumentSchema,
  },
];

/** What the routes need: the prepared documents, and a moment to get ready before the first request. */
export interface StatusRoutesDependencies {
  prepare(): Promise<void>;
  document(path: DocumentPath): Promise<PreparedDocument>;
}

/**
 * The public API v2. Query parameters are ignored; may be registered on several servers.
 *
 * @see contracts/status.md section 2, HTTP
 */
export function createStatusRoutes({ prepare, document }: StatusRoutesDependencies): FastifyPluginAsync {
  return async (app) => {
    await prepare();
    for (const { path, summary, schema } of DOCUMENT_ROUTES) {
      app.get(
        path,
        {
          // The bytes are kept compressed as well.
          compress: false,
          schema: {
            summary,
            tags: ['status'],
            response: { 200: schema, 304: Type.Null({ description: 'Not modified' }) },
          },
        },
        async (request, reply) => send(await document(path), request, reply),
      );
    }
  };
}

/**
 * The bytes are sent as they are; the schemas document them and tests compare the two.
 *
 * `If-Modified-Since` is not answered by 304: of two changes within a second it would hide the later one.
 */
async function send(document: PreparedDocument, request: FastifyRequest, reply: FastifyReply) {
  const { plain, gzip, lastModified } = document;
  const chosen = gzip !== null && acceptsGzip(request.headers['accept-encoding']) ? gzip : plain;
  // Either tag says that the client holds the present content.
  const held = [chosen, plain, gzip].find((form) => form !== null && isNamed(form.etag, request));
  const form = held ?? chosen;
  reply
    .header('access-control-expose-headers', 'ETag')
    .header('cache-control', CACHE_CONTROL)
    .header('content-type', 'application/json; charset=utf-8')
    .header('etag', form.etag)
    .header('last-modified', lastModified)
    .header('vary', 'Accept-Encoding');
  if (form.encoding === 'gzip') reply.header('content-encoding', 'gzip');
  if (held) reply.code(304);
  // HEAD needs the bytes for its length.
  return reply.send(held && request.method !== 'HEAD' ? undefined : await form.bytes());
}

/** Weak comparison, as conditional reads ask for (RFC 9110 section 13.1.2). */
function isNamed(etag: string, request: FastifyRequest): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
