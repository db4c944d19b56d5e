import { COLOUR_TOKENS } from '../../pages/colour-tokens.ts';
import { type Html, html, printHtml } from '../../pages/html.ts';
import { PAGE_CSS_VERSION } from './page-css.ts';
import type { PageFrame } from './page-site.ts';
import { ICON_SHAPES, type Mark } from './status-marks.ts';

/** One page between header and footer. */
export interface PageContent {
  /** Of the browser's tab; the page's name is added. */
  readonly title: string;
  /** Colour of the tab's icon. Default: that of links. */
  readonly mark?: Mark;
  /** The content of `main`, from its `h1` on. */
  readonly main: Html;
}

/**
 * A whole document. It needs no script and nothing from elsewhere.
 *
 * @see contracts/status.md section 10
 */
export function renderLayout(frame: PageFrame, { title, mark, main }: PageContent): string {
  const { page, site } = frame;
  const icon = COLOUR_TOKENS[mark ?? 'link'].light.slice(1);
  const feeds = page.allowFeeds ? feedLinks(frame) : null;
  return printHtml(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${page.name}</title>
${page.hiddenFromSearch ? html`<meta name="robots" content="noindex">` : null}
<link rel="stylesheet" href="${site.base}/page.css?v=${PAGE_CSS_VERSION}">
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 8 8%22%3E%3Ccircle cx=%224%22 cy=%224%22 r=%224%22 fill=%22%23${icon}%22/%3E%3C/svg%3E">
${feeds === null ? null : feedHeads(frame)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${ICON_SHAPES}
<header>
<a class="home" href="${site.base}/">${page.name}</a>
<nav aria-label="Main" class="links">
<a href="${site.base}/">Home</a>
<a href="${site.base}/history">History</a>
${feeds === null ? null : html`<details class="feeds"><summary>Subscribe to feed</summary><ul class="plain">${feeds.map((feed) => html`<li>${feed}</li>`)}</ul></details>`}
</nav>
</header>
<main id="content" tabindex="-1">
${main}
</main>
${footer(frame, feeds)}
</body>
</html>
`);
}

function feedLinks({ site }: PageFrame): readonly Html[] {
  return [
    html`<a class="target" href="${site.base}/history.rss">RSS</a>`,
    html`<a class="target" href="${site.base}/history.atom">Atom</a>`,
  ];
}

function feedHeads({ site }: PageFrame): Html {
  return html`<link rel="alternate" type="application/rss+xml" title="RSS" href="${site.base}/history.rss">
<link rel="alternate" type="application/atom+xml" title="Atom" href="${site.base}/history.atom">`;
}

function footer({ page, site, time, now }: PageFrame, feeds: readonly Html[] | null): Html {
  const support =
    page.supportUrl === null
      ? null
      : html`<a class="target" href="${page.supportUrl}" rel="noopener">Contact support</a>`;
  return html`<footer>
<p>Times are those of ${page.timeZone} (now ${time.zoneName(now)}).</p>
<p class="links"><a href="${site.base}/history">Incident history</a> <a href="${site.base}/uptime">Uptime</a> <a href="${site.root}/api/v2/summary.json">Summary as JSON</a> ${feeds} ${support}</p>
<p>Ledgerlens ${site.version}</p>
</footer>`;
}
