import { type Html, html, type Shown } from '../../../pages/html.ts';
import { type Asset, textAsset } from '../../../pages/site/assets.ts';
import { COPY_SCRIPT } from '../../../pages/site/site-assets.ts';
import { renderSitePage, type Site } from '../../../pages/site/site-page.ts';
import { LEDGER_CSS } from './ledger-css.ts';
import type { LedgerLinks } from './ledger-links.ts';

export const LEDGER_SHEET = textAsset('ledger.css', LEDGER_CSS);

/** What every page of the ledger knows of the request. */
export interface PageContext {
  readonly site: Site;
  /** Address under which the client reaches the server, with the path before all others; no slash at the end. */
  readonly serverUrl: string;
  /** Links to whatever entities the given answers of the API name. */
  linksTo(...answers: readonly unknown[]): Promise<LedgerLinks>;
}

/** The pages that stand beside each other. */
type LedgerTab = 'transactions' | 'blocks' | 'network' | 'fees';

const TABS: readonly (readonly [LedgerTab, string, string])[] = [
  ['transactions', '/ledger', 'Transactions'],
  ['blocks', '/ledger/blocks', 'Blocks'],
  ['network', '/ledger/network', 'Network'],
  ['fees', '/ledger/fees', 'Fees'],
];

interface LedgerPage {
  readonly title: string;
  readonly tab: LedgerTab | null;
  readonly main: Html;
  /** What the search box holds. Default: nothing. */
  readonly searched?: string;
  readonly scripts?: readonly Asset[];
  readonly isHiddenFromSearch?: boolean;
}

/** A page of the ledger, with the search box and the other pages above it. */
export function renderLedgerPage({ site }: PageContext, page: LedgerPage): string {
  const tabs = TABS.map(
    ([tab, path, text]) =>
      html`<a href="${site.root}${path}"${page.tab === tab ? html` aria-current="page"` : null}>${text}</a>
`,
  );
  return renderSitePage(site, {
    title: page.title,
    section: 'ledger',
    sheets: [LEDGER_SHEET],
    scripts: [COPY_SCRIPT, ...(page.scripts ?? [])],
    isHiddenFromSearch: page.isHiddenFromSearch ?? false,
    main: html`<div class="tabs">
<nav aria-label="Ledger" class="links">
${tabs}</nav>
<form class="search" role="search" action="${site.root}/ledger/search">
<input name="q" value="${page.searched ?? ''}" aria-label="Search the ledger" placeholder="Id, address, hash, time or block" autocapitalize="off" autocomplete="off" spellcheck="false" maxlength="200" required>
<button>Search</button>
</form>
</div>
${page.main}`,
  });
}

/** The request that gives what the page shows, to copy and to open. */
export function apiRequest({ serverUrl, site }: PageContext, targets: readonly string[]): Html {
  const one = targets.length === 1;
  return html`<section class="request stack" aria-labelledby="request">
<h2 id="request">${one ? 'API request' : 'API requests'}</h2>
${targets.map(
  (target) => html`<div><pre data-copy>${serverUrl}${target}</pre>
<p class="small"><a class="target" href="${site.root}${target}">Open as JSON<span class="unseen">: ${target}</span></a></p></div>
`,
)}</section>`;
}

/** Rows of a list of facts; those with null are left out. */
export function facts(rows: readonly (readonly [term: string, shown: Shown] | null)[]): Html {
  const known = rows.filter((row) => row !== null).filter(([, shown]) => shown !== null);
  return html`<dl class="facts">
${known.map(
  ([term, shown]) => html`<dt>${term}</dt><dd>${shown}</dd>
`,
)}</dl>`;
}

/** A wide table that scrolls on its own and can be reached with the keyboard. */
export function wideTable(label: string, table: Html): Html {
  return html`<div class="wide-table" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
}

/** What a list shows that has nothing. */
export function nothing(text: string): Html {
  return html`<p class="muted">${text}</p>`;
}
