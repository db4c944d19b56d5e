import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerDirectly, DirectAnswer } from '../http/direct-answer.ts';
import type { HeaderLines } from '../http/header-lines.ts';
import type { OperationDocs } from '../http/operation-docs.ts';
import { inOnePiece } from '../http/packing.ts';
import type { EncodedDocument, Representation } from '../pages/encoded-document.ts';
import { chooseForm, documentHeaders, PUBLIC_CACHING, sendDocument } from '../pages/send-document.ts';
import type { OnDemandDocuments } from './documents/on-demand-documents.ts';
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

const JSON_HEADERS: HeaderLines = [
  ...['access-control-expose-headers', 'ETag'],
  ...PUBLIC_CACHING,
  ...['content-type', 'application/json; charset=utf-8'],
  ...['vary', 'Accept-Encoding'],
];

interface DocumentRoute extends OperationDocs {
  readonly summary: string;
  readonly schema: TSchema;
}

/** The public documents: what documents of the API call them, say about them, and how they look. */
export const DOCUMENT_ROUTES: Readonly<Record<DocumentPath, DocumentRoute>> = {
  '/api/v2/summary.json': {
    id: 'getSummary',
    summary: 'Status summary',
    about:
      'Everything that a status widget needs: components, open incidents, upcoming maintenances and the overall status.',
    schema: SummarySchema,
  },
  '/api/v2/status.json': {
    id: 'getStatus',
    summary: 'Overall status',
    about: 'The overall status as an indicator and a text.',
    schema: StatusDocumentSchema,
  },
  '/api/v2/components.json': {
    id: 'listComponents',
    summary: 'Components and groups',
    about: 'Components and groups with their current status.',
    schema: ComponentsDocumentSchema,
  },
  '/api/v2/incidents.json': {
    id: 'listIncidents',
    summary: 'The 50 newest incidents',
    about: 'The 50 newest incidents with their updates.',
    schema: IncidentsDocumentSchema,
  },
  '/api/v2/incidents/unresolved.json': {
    id: 'listUnresolvedIncidents',
    summary: 'Open incidents',
    about: 'Incidents that are being investigated, identified or monitored.',
    schema: IncidentsDocumentSchema,
  },
  '/api/v2/scheduled-maintenances.json': {
    id: 'listMaintenances',
    summary: 'The 50 latest maintenances',
    about: 'The 50 latest maintenances, whatever their state.',
    schema: MaintenancesDocumentSchema,
  },
  '/api/v2/scheduled-maintenances/upcoming.json': {
    id: 'listUpcomingMaintenances',
    summary: 'Maintenances that have not started',
    about: 'Maintenances that are planned and have not started.',
    schema: MaintenancesDocumentSchema,
  },
  '/api/v2/scheduled-maintenances/active.json': {
    id: 'listActiveMaintenances',
    summary: 'Maintenances in progress or being verified',
    about: 'Maintenances that are in progress or being verified.',
    schema: MaintenancesDocumentSchema,
  },
};

/** What the routes need: the prepared documents. */
interface StatusRoutesDependencies {
  document(path: DocumentPath): Promise<EncodedDocument>;
  /** Those that are built when asked for. */
  readonly onDemand: OnDemandDocuments;
}

/**
 * The public API v2. Query parameters are ignored; may be registered on several servers.
 *
 * @see contracts/status.md section 2, HTTP
 */
export function createStatusRoutes({ document, onDemand }: StatusRoutesDependencies): FastifyPluginAsync {
  return async (app) => {
    const schemaOf = (summary: string, schema: TSchema) => ({
      // The bytes are kept compressed as well.
      compress: false as const,
      schema: {
        summary,
        tags: ['status'],
        response: { 200: schema, 304: Type.Null({ description: 'Not modified' }) },
      },
    });
    for (const [path, { summary, schema }] of Object.entries(DOCUMENT_ROUTES)) {
      app.get(path, schemaOf(summary, schema), async (request, reply) =>
        sendJson(await document(path as DocumentPath), request, reply),
      );
    }
    app.get('/api/v2/uptime.json', schemaOf('Uptime by day', UptimeDocumentSchema), async (request, reply) =>
      sendJson(await onDemand.uptime(), request, reply),
    );
    const single = [
      ['/api/v2/components/:file', 'One component: `{id}.json`', ComponentDocumentSchema, onDemand.component],
      ['/api/v2/incidents/:file', 'One incident: `{id}.json`', IncidentDocumentSchema, onDemand.incident],
    ] as const;
    for (const [path, summary, schema, read] of single) {
      app.get<{ Params: { file: string } }>(path, schemaOf(summary, schema), async (request, reply) => {
        const id = /^([\w-]{1,64})\.json$/.exec(request.params.file)?.[1];
        if (id === undefined) throw new StatusNotFoundError('path', request.params.file);
        return sendJson(await read(id), request, reply);
      });
    }
  };
}

/**
 * Sends documents that are ready without the router: the usual case.
 *
 * @see contracts/status.md section 2, HTTP
 */
export function createDirectDocuments(ready: (path: DocumentPath) => EncodedDocument | null): AnswerDirectly {
  const paths = new Map(Object.keys(DOCUMENT_ROUTES).map((path) => [path, path as DocumentPath]));
  // A form belongs to one document, so its two answers are made once.
  const held = new WeakMap<Representation, DirectAnswer>();
  const full = new WeakMap<Representation, DirectAnswer>();
  return (target, headers) => {
    const path = paths.get(target);
    const document = path === undefined ? null : ready(path);
    if (path === undefined || document === null) return null;
    const { form, isHeld } = chooseForm(document, headers);
    const known = (isHeld ? held : full).get(form);
    if (known !== undefined) return known;
    // What the client has need not be made: as long as everybody has it nobody would.
    const bytes = isHeld ? null : form.ready;
    if (!isHeld && bytes === null) return null;
    const lines = documentHeaders(JSON_HEADERS, form, document.lastModified, isHeld);
    const body = bytes === null ? null : inOnePiece(bytes);
    const answer: DirectAnswer = {
      statusCode: isHeld ? 304 : 200,
      route: path,
      headers: lines,
      body: body === null ? null : () => body,
    };
    (isHeld ? held : full).set(form, answer);
    return answer;
  };
}

/** The bytes are sent as they are; the schemas document them and tests compare the two. */
export function sendJson(document: EncodedDocument, request: FastifyRequest, reply: FastifyReply) {
  return sendDocument(document, JSON_HEADERS, request, reply);
}
