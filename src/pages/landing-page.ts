import type { FastifyInstance } from 'fastify';
import { namesType } from '../http/accept.ts';
import { escapeHtml } from '../values/escape-html.ts';

/** What the landing page tells about this installation. */
export interface SiteInfo {
  readonly version: string;
  readonly dialect: 'spec' | 'hiero';
  /** Address under which clients reach the server, without a trailing slash. */
  readonly publicUrl: string;
  /** Address of the status page for people; null when it is `/status` of this server. */
  readonly statusUrl: string | null;
}

/** `GET /`: what this server offers and where, as a page for people and as JSON for programs. */
export function serveLandingPage(app: FastifyInstance, site: SiteInfo): void {
  const page = renderLandingPage(site);
  const document = { name: 'Ledgerlens', ...site, links: links(site) };
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    reply.header('vary', 'Accept').header('cache-control', 'public, max-age=60');
    if (!namesType(request.headers.accept, 'text/html')) return reply.send(document);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
      .send(page);
  });
}

function links(site: SiteInfo) {
  return [
    { href: `${site.publicUrl}/docs`, title: 'API documentation' },
    { href: `${site.publicUrl}/api/v1/transactions`, title: 'Newest ledger transactions' },
    { href: `${site.publicUrl}/api/v1/network/nodes`, title: 'Address book nodes' },
    { href: `${site.publicUrl}/chains`, title: 'Chains whose contracts can be verified' },
    { href: site.statusUrl ?? `${site.publicUrl}/status`, title: 'Status page' },
    { href: `${site.publicUrl}/api/v2/summary.json`, title: 'Status summary' },
    { href: `${site.publicUrl}/health/readiness`, title: 'Readiness' },
    { href: `${site.publicUrl}/metrics`, title: 'Metrics' },
  ];
}

function renderLandingPage(site: SiteInfo): string {
  const items = links(site)
    .map(({ href, title }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a></li>`)
    .join('\n      ');
  const dialect =
    site.dialect === 'hiero'
      ? 'The mirror API answers in the dialect <strong>hiero</strong>, as the public Hiero networks do.'
      : 'The mirror API answers in the dialect <strong>spec</strong>. Web explorers and other clients of the ' +
        'public networks want <code>MIRROR_DIALECT=hiero</code>.';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Ledgerlens</title>
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; }
      main { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
    </style>
  </head>
  <body>
    <main>
    <h1>Ledgerlens ${escapeHtml(site.version)}</h1>
    <p>Contract verification, status and ledger mirror APIs.</p>
    <ul>
      ${items}
    </ul>
    <p>${dialect}</p>
    </main>
  </body>
</html>
`;
}
