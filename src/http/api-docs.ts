import { readFile } from 'node:fs/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { ownFile } from '../own-files.ts';
import type { AreaName } from './area.ts';

export type DocumentName = AreaName | 'all';

export const DOCUMENT_TITLES: Readonly<Record<DocumentName, string>> = {
  all: 'Ledgerlens',
  verify: 'Ledgerlens contract verification',
  status: 'Ledgerlens status',
  mirror: 'Ledgerlens mirror',
};

export const DOCUMENT_NAMES = Object.keys(DOCUMENT_TITLES) as readonly DocumentName[];

/**
 * Serves `/docs`: the documents of `openapi/` and a page that shows them.
 *
 * @param root what stands before every path of the server for its clients; empty for the root.
 * @see docs/adr/0004-documents-from-code.md
 */
export async function serveApiDocs(app: FastifyInstance, root: string, frame: DocsFrame): Promise<void> {
  const textOf = openApiTexts(ownFile('../openapi/'), root);
  await serveDocsPage(
    app,
    root,
    DOCUMENT_NAMES.map((name) => ({ url: `${root}/docs/openapi/${name}.json`, name: DOCUMENT_TITLES[name] })),
    frame,
  );
  // Where clients of the public mirror nodes look; JSON is YAML.
  app.get('/api/v1/docs/openapi.yml', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/yaml; charset=utf-8').send(await textOf('mirror')),
  );
  app.get('/api/v1/docs', { schema: { hide: true } }, (_request, reply) => reply.redirect(`${root}/docs/`));
  app.get<{ Params: { name: string } }>(
    '/docs/openapi/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const name = request.params.name.replace(/\.json$/, '');
      if (!isDocumentName(name)) return reply.callNotFound();
      return reply.type('application/json; charset=utf-8').send(await textOf(name));
    },
  );
}

function isDocumentName(name: string): name is DocumentName {
  return Object.hasOwn(DOCUMENT_TITLES, name);
}

/** The address of the server, in a document for the root; within texts every quote has a backslash before it. */
const SERVER_URL = /("servers":\s*\[\s*\{\s*"url":\s*)"\/"/;

/** Reads documents when they are first requested, and keeps those that could be read. */
export function openApiTexts(folder: URL, root: string): (name: DocumentName) => Promise<string> {
  const kept = new Map<DocumentName, Promise<string>>();

  async function read(name: DocumentName): Promise<string> {
    const text = await readFile(new URL(`${name}.json`, folder), 'utf8');
    return root === ''
      ? text
      : text.replace(SERVER_URL, (_found, before: string) => before + JSON.stringify(root));
  }

  return (name) => {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const text = read(name);
    kept.set(name, text);
    text.catch(() => kept.delete(name));
    return text;
  };
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
  // The page requires this plugin, which collects no routes when it is given a document.
  const document = { openapi: '3.1.0', info: { title: DOCUMENT_TITLES.all, version: '' }, paths: {} };
  await app.register(swagger, { mode: 'static', specification: { document } });
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
        // Its own documents are empty.
        else if (/\/(json|yaml)$/.test(url)) reply.redirect(`${root}/docs/openapi/all.json`);
        else done();
      },
    },
    theme: { css: [{ filename: 'ledgerlens.css', content: css }] },
    uiConfig: { urls: documents } as Record<string, unknown>,
  });
}
