import { setImmediate } from 'node:timers/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Area, AreaName } from './area.ts';
import { type DocsOfAreas, describeDocument } from './docs/describe-document.ts';
import type { Json } from './docs/json-value.ts';

/** An OpenAPI 3.1 document, as generated from the routes. */
interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

type DocumentName = AreaName | 'all';

const TITLES: Readonly<Record<DocumentName, string>> = {
  all: 'Ledgerlens',
  verify: 'Ledgerlens contract verification',
  status: 'Ledgerlens status',
  mirror: 'Ledgerlens mirror',
};

const AREAS: readonly AreaName[] = ['verify', 'status', 'mirror'];

const ABOUT = `Contract verification, a status page and the mirror of a ledger, served by one small server.

**Numbers.** Amounts, balances, serial numbers and other members of \`format: int64\` are exact 64-bit integers and may
be greater than 2^53. \`JSON.parse\` of JavaScript rounds those: where every digit counts, use a parser that preserves
them, such as \`lossless-json\` or \`json-bigint\`. Some numbers are strings (\`chainId\`, \`matchId\`, supplies), because
they are unbounded or because clients expect strings.

**Lists.** Pages of the mirror continue at \`links.next\`, which is null on the last one.

**Errors.** Every error is JSON in the form of its area, wherever it occurs.`;

const documents = new WeakMap<
  FastifyInstance,
  { areas: DocsOfAreas; made: Map<DocumentName, OpenApiDocument> }
>();

/**
 * Collects the schemas of all routes registered after it and serves `/docs`.
 *
 * @param site `root`: what stands before every path of the server for its clients; empty for the root.
 */
export async function serveApiDocs(
  app: FastifyInstance,
  { root, version }: { readonly root: string; readonly version: string },
  areas: readonly Pick<Area, 'name' | 'docs'>[],
  frame: DocsFrame,
): Promise<void> {
  const docs = Object.fromEntries(areas.map(({ name, docs }) => [name, docs]));
  documents.set(app, { areas: docs, made: new Map() });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: TITLES.all,
        version,
        description: ABOUT,
        contact: { name: 'The operator of this server' },
        license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: root === '' ? '/' : root }],
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
    },
  });
  await serveDocsPage(
    app,
    root,
    DOCUMENT_NAMES.map((name) => ({ url: `${root}/docs/openapi/${name}.json`, name: TITLES[name] })),
    frame,
  );
  // Where clients of the public mirror nodes look; JSON is YAML.
  app.get('/api/v1/docs/openapi.yml', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('application/yaml; charset=utf-8')
      .send(JSON.stringify(await openApiDocumentInTurns(app, 'mirror'), null, 2)),
  );
  app.get('/api/v1/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect(`${root}/docs/`));
  app.get<{ Params: { name: string } }>(
    '/docs/openapi/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const name = request.params.name.replace(/\.json$/, '');
      return isDocumentName(name) ? openApiDocumentInTurns(app, name) : reply.callNotFound();
    },
  );
}

/** The document of one area, or of all of them; call it when the app is ready. */
export function openApiDocument(app: FastifyInstance, name: DocumentName): OpenApiDocument {
  const known = documents.get(app);
  if (known === undefined) throw new Error('serveApiDocs has not been called for this app');
  const made = known.made.get(name) ?? makeDocument(app, known.areas, name);
  known.made.set(name, made);
  return made;
}

/** The first one takes some tenths of a second; what the library does of that is kept, and others are answered after it. */
async function openApiDocumentInTurns(app: FastifyInstance, name: DocumentName): Promise<OpenApiDocument> {
  app.swagger();
  await setImmediate();
  return openApiDocument(app, name);
}

function makeDocument(app: FastifyInstance, areas: DocsOfAreas, name: DocumentName): OpenApiDocument {
  const raw = app.swagger() as unknown as Json;
  const described = describeDocument(raw, areas, new Set(name === 'all' ? AREAS : [name]));
  const document = described as unknown as OpenApiDocument;
  return { ...document, info: { ...document.info, title: TITLES[name] } };
}

export const DOCUMENT_NAMES = Object.keys(TITLES) as readonly DocumentName[];

function isDocumentName(name: string): name is DocumentName {
  return Object.hasOwn(TITLES, name);
}

/** A document that the page offers. */
interface OfferedDocument {
  readonly url: string;
  readonly name: string;
}

/** The page itself, in the frame of the site, and its style sheet. */
interface DocsFrame {
  readonly page: string;
  readonly css: string;
}

/**
 * Everything from this server. The hash is of the one style that the library's bundle puts into the page by script; a
 * new version of it may need another, which the browser test tells.
 */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
].join('; ');

/**
 * Serves the documents for people at `/docs`.
 *
 * @param root what stands before every path of the server for its clients; empty for the root.
 */
async function serveDocsPage(
  app: FastifyInstance,
  root: string,
  documents: readonly OfferedDocument[],
  { css, page }: DocsFrame,
): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    transformStaticCSP: () => POLICY,
    uiHooks: {
      // The library's own page has no way back to the site, and leads outside below a path.
      onRequest: (request, reply, done) => {
        const { url = '' } = request.routeOptions;
        if (/^\/docs\/?$/.test(url)) reply.type('text/html; charset=utf-8').send(page);
        else if (url.endsWith('/index.html')) reply.redirect(`${root}/docs/`);
        // Its own documents are undescribed, and printing YAML takes long.
        else if (/\/(json|yaml)$/.test(url)) reply.redirect(`${root}/docs/openapi/all.json`);
        else done();
      },
    },
    theme: { css: [{ filename: 'ledgerlens.css', content: css }] },
    uiConfig: { urls: documents } as Record<string, unknown>,
  });
}
