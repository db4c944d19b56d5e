import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { AreaName } from './area.ts';

/** An OpenAPI 3.1 document, as generated from the routes. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export type DocumentName = AreaName | 'all';

const TITLES: Readonly<Record<DocumentName, string>> = {
  all: 'Ledgerlens',
  verify: 'Ledgerlens contract verification',
  status: 'Ledgerlens status',
  mirror: 'Ledgerlens mirror',
};

/** Collects the schemas of all routes registered after it and serves `/docs`. */
export async function serveApiDocs(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: TITLES.all,
        version,
        description: 'Contract verification, status and ledger mirror. Numbers are exact 64-bit integers.',
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          statusToken: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`OAuth TOKEN` or `Bearer TOKEN`, for the management API of the status page',
          },
        },
      },
      tags: [
        { name: 'verify', description: 'Contract source verification' },
        { name: 'status', description: 'Status page' },
        { name: 'mirror', description: 'Ledger transactions and the network object' },
      ],
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // The server itself speaks plain HTTP; browsers would ask for everything on the page over TLS.
    transformStaticCSP: (policy) => policy.replace(/\s*upgrade-insecure-requests;?/, ''),
    uiConfig: {
      urls: (Object.keys(TITLES) as DocumentName[]).map((name) => ({
        url: `/docs/openapi/${name}.json`,
        name: TITLES[name],
      })),
    } as Record<string, unknown>,
  });
  // Where clients of the public mirror nodes look; JSON is YAML.
  app.get('/api/v1/docs/openapi.yml', { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('application/yaml; charset=utf-8')
      .send(JSON.stringify(openApiDocument(app, 'mirror'), null, 2)),
  );
  app.get('/api/v1/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs/'));
  app.get<{ Params: { name: string } }>(
    '/docs/openapi/:name',
    { schema: { hide: true } },
    (request, reply) => {
      const name = request.params.name.replace(/\.json$/, '');
      return isDocumentName(name) ? reply.send(openApiDocument(app, name)) : reply.callNotFound();
    },
  );
}

/** The document of one area, or of all of them; call it when the app is ready. */
export function openApiDocument(app: FastifyInstance, name: DocumentName): OpenApiDocument {
  const all = app.swagger() as unknown as OpenApiDocument;
  if (name === 'all') return all;
  return {
    ...all,
    info: { ...all.info, title: TITLES[name] },
    tags: (all['tags'] as readonly { name: string }[]).filter((tag) => tag.name === name),
    paths: Object.fromEntries(Object.entries(all.paths).filter(([, path]) => isOf(path, name))),
  };
}

/** Each operation has the area as its tag. */
function isOf(path: unknown, area: AreaName): boolean {
  const operations = Object.values(path as Readonly<Record<string, { readonly tags?: readonly string[] }>>);
  return operations.some(({ tags }) => tags?.includes(area));
}

export const DOCUMENT_NAMES = Object.keys(TITLES) as readonly DocumentName[];

function isDocumentName(name: string): name is DocumentName {
  return name in TITLES;
}
