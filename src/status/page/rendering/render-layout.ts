import { type Html, html } from '../../../pages/html.ts';
import { printPage } from '../../../pages/print-page.ts';
import { PLAIN_LOOK } from '../page-look.ts';
import type { PageFrame } from '../page-site.ts';
import { ICON_SHAPES, type Mark } from '../status-marks.ts';

/** One page between header and footer. */
interface PageContent {
  /** Of the browser's tab; the page's name is added. */
  readonly title: string;
  /** Colour of the tab's icon. Default: that of links. */
  readonly mark?: Mark;
  /** The content of `main`, from its `h1` on. */
  readonly main: Html;
}

/**
 * A page of the status page, with its header and footer.
 *
 * @see contracts/status.md section 10
 */
export function renderLayout(frame: PageFrame, { title, mark, main }: PageContent): string {
  const { page, site } = frame;
  const { cssVersion, logo } = site.look ?? PLAIN_LOOK;
  const feeds = page.allowFeeds ? feedLinks(frame) : null;
  return printPage({
    title: `${title} – ${page.name}`,
    isHiddenFromSearch: page.hiddenFromSearch,
    styleSheet: `${site.base}/page.css?v=${cssVersion}`,
    colour: mark ?? 'link',
    head: feeds === null ? null : feedHeads(frame),
    shapes: ICON_SHAPES,
    home: {
      href: `${site.base}/`,
      text:
        logo === null
          ? page.name
          : html`<img class="logo" src="${site.base}/logo?v=${logo.version}" alt="">${page.name}`,
    },
    navigation: html`<a href="${site.base}/">Home</a>
<a href="${site.base}/history">History</a>
${feeds === null ? null : html`<details class="feeds"><summary>Subscribe to feed</summary><ul class="plain">${feeds.map((feed) => html`<li>${feed}</li>`)}</ul></details>`}
${site.siteLinks ?? null}`,
    main,
    footer: footer(frame, feeds),
  });
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
  const zone = time.zoneName(now);
  return html`<p>All times in ${zone === 'UTC' ? zone : `${page.timeZone} (currently ${zone})`}.</p>
<p class="links"><a href="${site.base}/history">Incident history</a> <a href="${site.base}/uptime">Uptime</a> <a href="${site.root}/api/v2/summary.json">Summary as JSON</a> ${feeds} ${support}</p>
<p>Ledgerlens ${site.version}</p>`;
}

/** A page for somebody who asked for what is not there. */
export function renderProblem(title: string, text: string, frame: PageFrame): string {
  return renderLayout(frame, {
    title,
    main: html`<h1>${title}</h1>
<p>${text}</p>
<p><a class="target" href="${frame.site.base}/">Back to the status page</a></p>`,
  });
}
