import { readFileSync } from 'node:fs';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { ownFile } from '../../own-files.ts';

/** A document that the page offers. */
export interface OfferedDocument {
  readonly url: string;
  readonly name: string;
}

const SCRIPT = readFileSync(ownFile('http/docs/docs.browser.js'), 'utf8');

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

/** The bar in our colours, and nothing wider than a telephone. */
const SHEET = `.swagger-ui .topbar { background: #0b3d2e; padding: 8px 0; }
.swagger-ui .topbar .download-url-wrapper .select-label select { border-color: #7fd6a8; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .topbar .topbar-wrapper { flex-wrap: wrap; gap: 8px; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui table { display: block; overflow-x: auto; }
}
`;

/**
 * Serves the documents for people at `/docs`.
 *
 * @param root what stands before every path of the server for its clients; empty for the root.
 * @param mark the product's sign, an SVG.
 */
export async function serveDocsPage(
  app: FastifyInstance,
  root: string,
  documents: readonly OfferedDocument[],
  mark: string,
): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // Without it `/docs` names its files below the root.
    indexPrefix: root,
    staticCSP: true,
    transformStaticCSP: () => POLICY,
    logo: { type: 'image/svg+xml', content: Buffer.from(mark) },
    theme: {
      title: 'API of this server · Ledgerlens',
      favicon: [{ filename: 'mark.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: mark }],
      css: [{ filename: 'ledgerlens.css', content: SHEET }],
      js: [{ filename: 'ledgerlens.js', content: SCRIPT }],
    },
    uiConfig: { urls: documents } as Record<string, unknown>,
  });
}
