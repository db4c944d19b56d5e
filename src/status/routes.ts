import type { IncomingHttpHeaders } from 'node:http';
import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerDirectly } from '../http/direct-answers.ts';
import { addHeaders, type HeaderLines } from '../http/header-lines.ts';
import { acceptsGzip } from './documents/accepts-gzip.ts';
import type { KeptDocuments } from './documents/kept-documents.ts';
import type { PreparedDocument, Representation } from './documents/prepared-documents.ts';
import type { DocumentPath } from './documents/public-documents.ts';
import {
  ComponentDocumentSchema,
  ComponentsDocumentSchema,
  IncidentDocumentSchema,
  IncidentsDocumentSchema,
  MaintenancesDocumentSchema,
  StatusDocumentSchema,
  SummarySchema,
  UptimeDocumentSchema,
} from './documents/schemas.ts';
import { StatusNotFoundError } from './errors.ts';

const FIXED_HEADERS: HeaderLines = [
  ...['access-control-expose-headers', 'ETag'],
  ...['cache-control', 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400'],
  ...['content-type', 'application/json; charset=utf-8'],
  ...['vary', 'Accept-Encoding'],
];

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
  /** Those that are built when asked for. */
  readonly kept: Pick<KeptDocuments, 'uptime' | 'component' | 'incident'>;
}

/**
 * The public API v2. Query parameters are ignored; may be registered on several servers.
 *
 * @see contracts/status.md section 2, HTTP
 */
export function createStatusRoutes({
  prepare,
  document,
  kept,
}: StatusRoutesDependencies): FastifyPluginAsync {
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
    const schemaOf = (summary: string, schema: TSchema) => ({
      compress: false as const,
      schema: {
        summary,
        tags: ['status'],
        response: { 200: schema, 304: Type.Null({ description: 'Not modified' }) },
      },
    });
    app.get('/api/v2/uptime.json', schemaOf('Uptime by day', UptimeDocumentSchema), async (request, reply) =>
      send(await kept.uptime(), request, reply),
    );
    const single = [
      ['/api/v2/components/:file', 'One component: `{id}.json`', ComponentDocumentSchema, kept.component],
      ['/api/v2/incidents/:file', 'One incident: `{id}.json`', IncidentDocumentSchema, kept.incident],
    ] as const;
    for (const [path, summary, schema, read] of single) {
      app.get<{ Params: { file: string } }>(path, schemaOf(summary, schema), async (request, reply) => {
        const id = /^([\w-]{1,64})\.json$/.exec(request.params.file)?.[1];
        if (id === undefined) throw new StatusNotFoundError('path', request.params.file);
        return send(await read.call(kept, id), request, reply);
      });
    }
  };
}

/**
 * Sends documents that are ready without the router: the usual case.
 *
 * @see contracts/status.md section 2, HTTP
 */
export function createDirectDocuments(
  ready: (path: DocumentPath) => PreparedDocument | null,
): AnswerDirectly {
  const paths = new Map<string, DocumentPath>(DOCUMENT_ROUTES.map(({ path }) => [path, path]));
  return (target, headers) => {
    const path = paths.get(target);
    const document = path === undefined ? null : ready(path);
    if (path === undefined || document === null) return null;
    const { form, isHeld } = choose(document, headers);
    if (form.ready === null) return null;
    return {
      statusCode: isHeld ? 304 : 200,
      route: path,
      headers: documentHeaders(form, document.lastModified),
      body: isHeld ? null : form.ready,
    };
  };
}

/** The bytes are sent as they are; the schemas document them and tests compare the two. */
async function send(document: PreparedDocument, request: FastifyRequest, reply: FastifyReply) {
  const { form, isHeld } = choose(document, request.headers);
  addHeaders(reply, documentHeaders(form, document.lastModified));
  if (isHeld) reply.code(304);
  // HEAD needs the bytes for its length.
  return reply.send(isHeld && request.method !== 'HEAD' ? undefined : await form.bytes());
}

/**
 * The form for a request and whether the client holds it already.
 *
 * `If-Modified-Since` is not answered by 304: of two changes within a second it would hide the later one.
 */
function choose(
  { gzip, plain }: PreparedDocument,
  headers: IncomingHttpHeaders,
): { readonly form: Representation; readonly isHeld: boolean } {
  const chosen = gzip !== null && acceptsGzip(headers['accept-encoding']) ? gzip : plain;
  // Either tag says that the client holds the present content.
  const held = [chosen, plain, gzip].find((form) => form !== null && isNamed(form.etag, headers));
  return { form: held ?? chosen, isHeld: held !== undefined && held !== null };
}

function documentHeaders(form: Representation, lastModified: string): HeaderLines {
  const lines = [...FIXED_HEADERS, 'etag', form.etag, 'last-modified', lastModified];
  if (form.encoding === 'gzip') lines.push('content-encoding', 'gzip');
  return lines;
}

/** Weak comparison, as conditional reads ask for (RFC 9110 section 13.1.2). */
function isNamed(etag: string, headers: IncomingHttpHeaders): boolean {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  if (header === etag) return true;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
