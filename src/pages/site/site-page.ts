import type { FastifyReply, FastifyRequest } from 'fastify';
import { addHeaders, type HeaderLines } from '../../http/header-lines.ts';
import { type EncodedDocument, encodeText } from '../encoded-document.ts';
import { type Html, html } from '../html.ts';
import { printPage } from '../print-page.ts';
import { sendDocument } from '../send-document.ts';
import { type Asset, assetHref } from './assets.ts';
import { MARK } from './mark.ts';
import { SITE_SHEET } from './site-assets.ts';

/** Where the pages of this server lie. */
export interface Site {
  /** What stands before every path of the server in links, such as `/lens`; empty for the root. */
  readonly root: string;
  readonly version: string;
  /** Address of the status page; null when it is `/status` of this server. */
  readonly statusUrl: string | null;
}

/** A site at the root, of no version: for tests that look at no page. */
export const ROOT_SITE: Site = { root: '', version: '', statusUrl: null };

/** The parts of the site that the navigation names. */
type SiteSection = 'home' | 'verify' | 'ledger' | 'status' | 'docs';

/** One page within the frame of the site. */
interface SitePage {
  /** Of the browser's tab, without the name of the product. */
  readonly title: string;
  /** The part that the navigation shows as the present one; null for none. */
  readonly section: SiteSection | null;
  /** The content of `main`, from its `h1` on. */
  readonly main: Html;
  /** Style sheets beyond that of the site. */
  readonly sheets?: readonly Asset[];
  /** Scripts, all deferred; the page is usable without them. */
  readonly scripts?: readonly Asset[];
  /** More for the `head`, such as what only a browser without scripts reads. */
  readonly head?: Html;
  /** Whether search engines shall pass it by. Default: no. */
  readonly isHiddenFromSearch?: boolean;
}

/** Everything from this server; no inline style or script, no frame. */
const SITE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const SAFETY: HeaderLines = [
  ...['content-type', 'text/html; charset=utf-8'],
  ...['content-security-policy', SITE_POLICY],
  ...['x-content-type-options', 'nosniff'],
  ...['referrer-policy', 'no-referrer'],
];

/** The links of the header to the parts of the site. @param section the one that the page belongs to */
export function siteNavigation({ root, statusUrl }: Site, section: SiteSection | null): Html {
  const entries: readonly (readonly [SiteSection, string, string])[] = [
    ['verify', `${root}/verify-ui`, 'Contracts'],
    ['ledger', `${root}/ledger`, 'Ledger'],
    ['status', statusUrl ?? `${root}/status`, 'Status'],
    ['docs', `${root}/docs`, 'API'],
  ];
  return html`${entries.map(
    ([name, href, text]) =>
      html`<a href="${href}"${name === section ? html` aria-current="page"` : null}>${text}</a>
`,
  )}`;
}

/** The whole document. */
export function renderSitePage(site: Site, page: SitePage): string {
  const { root } = site;
  return printPage({
    title: `${page.title} · Ledgerlens`,
    isHiddenFromSearch: page.isHiddenFromSearch ?? false,
    styleSheet: assetHref(SITE_SHEET, root),
    colour: 'operational',
    icon: assetHref(MARK, root),
    head: html`${(page.sheets ?? []).map(
      (sheet) => html`<link rel="stylesheet" href="${assetHref(sheet, root)}">
`,
    )}${(page.scripts ?? []).map(
      (script) => html`<script src="${assetHref(script, root)}" defer></script>
`,
    )}${page.head ?? null}`,
    shapes: null,
    home: { href: `${root}/`, text: 'Ledgerlens' },
    navigation: siteNavigation(site, page.section),
    main: page.main,
    footer: html`<p>Ledgerlens ${site.version}</p>`,
  });
}

/** How a page is sent. */
interface SentAs {
  /** Default 200. */
  readonly statusCode?: number;
  /** `cache-control`; default `no-cache`: what changes with the database is asked for again, mostly for a 304. */
  readonly caching?: string;
  /** Default `Accept-Encoding`. */
  readonly vary?: string;
}

/**
 * Sends a page with its safety headers, or 304 when the client holds it.
 *
 * Routes that use it say `compress: false` and `schema: { hide: true }`.
 *
 * @param page its text, or the bytes that were kept of it.
 */
export async function sendSitePage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string | EncodedDocument,
  { statusCode = 200, caching = 'no-cache', vary = 'Accept-Encoding' }: SentAs = {},
): Promise<FastifyReply> {
  const headers = [...SAFETY, 'vary', vary, 'cache-control', caching];
  const document = typeof page === 'string' ? encodeText(page, new Date(0).toUTCString()) : page;
  if (statusCode === 200) return sendDocument(document, headers, request, reply);
  addHeaders(reply, headers);
  return reply.code(statusCode).send(await document.plain.bytes());
}
