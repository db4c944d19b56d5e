import { colourProperties } from '../colour-tokens.ts';
import { html } from '../html.ts';
import { printPage } from '../print-page.ts';
import { assetHref } from './assets.ts';
import { MARK } from './mark.ts';
import { type Site, siteNavigation } from './site-page.ts';

/** The header of the site, since its sheet would restyle what the library draws; and nothing wider than a telephone. */
export const DOCS_CSS = `:root { color-scheme: light; ${colourProperties('light')} }
body { margin: 0; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 8px; padding: 8px; background: var(--background); z-index: 1; }
body > header, body > footer { font: 100%/1.5 system-ui, sans-serif; color: var(--text); max-width: 1460px; margin: 0 auto; padding: 16px 20px; box-sizing: border-box; display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; align-items: baseline; }
body > header a { color: var(--link); text-underline-offset: .15em; display: inline-block; min-height: 24px; }
body > header .home { font-size: 1.25rem; font-weight: 700; color: var(--text); text-decoration: none; }
body > header .links { display: flex; flex-wrap: wrap; gap: 4px 16px; }
body > header [aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
body > header a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
body > footer { font-size: .875rem; color: var(--muted); }
.swagger-ui .topbar { background: #0b3d2e; padding: 8px 0; }
.swagger-ui .topbar a.link { display: none; }
.swagger-ui .topbar .download-url-wrapper .select-label select { border-color: #7fd6a8; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; overflow-wrap: anywhere; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui table { display: block; overflow-x: auto; }
}
`;

/** The page at `/docs`, whose content the library's scripts draw. */
export function renderDocsFrame(site: Site): string {
  const files = `${site.root}/docs/static`;
  const sheets = ['index.css', 'theme/ledgerlens.css'].map(
    (name) => html`<link rel="stylesheet" href="${files}/${name}">
`,
  );
  const scripts = ['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'swagger-initializer.js'].map(
    (name) => html`<script src="${files}/${name}" defer></script>
`,
  );
  return printPage({
    title: 'API of this server · Ledgerlens',
    isHiddenFromSearch: false,
    styleSheet: `${files}/swagger-ui.css`,
    colour: 'operational',
    icon: assetHref(MARK, site.root),
    head: html`${sheets}${scripts}`,
    shapes: null,
    home: { href: `${site.root}/`, text: 'Ledgerlens' },
    navigation: siteNavigation(site, 'docs'),
    main: html`<div id="swagger-ui"></div>
<noscript><p>This page requires JavaScript. The same documents as JSON: <a href="${site.root}/docs/openapi/all.json">all operations</a></p></noscript>`,
    footer: html`<p>Ledgerlens ${site.version}</p>`,
  });
}
