import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** A document that the page offers. */
interface OfferedDocument {
  readonly url: string;
  readonly name: string;
}

/** The page itself, in the frame of the site, and its style sheet. */
export interface DocsFrame {
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
export async function serveDocsPage(
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
        else done();
      },
    },
    theme: { css: [{ filename: 'ledgerlens.css', content: css }] },
    uiConfig: { urls: documents } as Record<string, unknown>,
  });
}
