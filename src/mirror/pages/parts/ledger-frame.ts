import { type Html, html, type Shown } from '../../../pages/html.ts';
import { type Asset, textAsset } from '../../../pages/site/assets.ts';
import { COPY_SCRIPT } from '../../../pages/site/site-assets.ts';
import { renderSitePage, type Site } from '../../../pages/site/site-page.ts';
import type { LedgerLinks } from './ledger-links.ts';

/** Rules of the ledger pages beyond those of the site. */
const LEDGER_CSS = `.tabs { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; align-items: end; margin-bottom: 24px; padding-bottom: 16px; border-bottom: 1px solid var(--line); }
.tabs .links a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
form.search { display: flex; flex-wrap: wrap; gap: 8px; flex: 1 1 18rem; max-width: 30rem; }
form.search input { flex: 1 1 12rem; min-width: 0; }
form.filter { grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); align-items: end; }
label :is(input, select, textarea) { font-weight: 400; }
form.filter > *, form.filter :is(input, select) { min-width: 0; width: 100%; }
form.filter label, form.fees label { font-size: .875rem; }
form.filter .hint, form.fees .hint { font-weight: 400; color: var(--muted); }
form.filter .actions { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: center; }
details.box { border: 1px solid var(--line); border-radius: 8px; padding: 8px 16px; margin: 16px 0; }
details.box[open] { padding-bottom: 16px; }
details.box > summary { font-weight: 600; padding: 4px 0; }
details.box > :not(summary) { margin-top: 12px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 12px; margin: 16px 0; }
.figures div { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; }
.figures dt { color: var(--muted); font-size: .875rem; }
.figures dd { font-weight: 600; font-variant-numeric: tabular-nums; }
.figures dd .small { font-weight: 400; display: block; }
.live { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin: 12px 0; min-height: 36px; }
.live button { min-height: 32px; padding: 2px 12px; }
h1 .mark { font-size: 1rem; vertical-align: middle; }
.mark.failed { color: var(--major); }
.mark.succeeded { color: var(--operational); }
dl.facts { margin: 16px 0; }
table.data { table-layout: auto; font-variant-numeric: tabular-nums; }
table.data th { color: var(--muted); font-weight: 600; white-space: nowrap; }
table.data tbody th { color: inherit; font-weight: 400; white-space: normal; }
table.data td.number, table.data th.number { white-space: nowrap; }
table.data tfoot :is(td, th) { font-weight: 600; color: inherit; border-bottom: 0; }
table.data .note { display: block; color: var(--muted); }
table.data .lead { width: 45%; overflow-wrap: anywhere; }
table.data a { display: inline-block; min-height: 24px; overflow-wrap: normal; }
table.data time { white-space: nowrap; }
table.data tr.fresh { background: var(--surface); box-shadow: inset 3px 0 var(--link); }
table.data tr.fresh > :first-child { padding-left: 8px; }
.banner h2 { margin: 0; }
.banner ul { margin: 0; }
.out { color: var(--major); }
.in { color: var(--operational); }
.request { margin: 24px 0 0; }
.request pre { overflow-wrap: anywhere; white-space: pre-wrap; }
.request .copy, .commands .copy { margin-top: 8px; }
.stack > * + * { margin-top: 12px; }
pre.memo { white-space: pre-wrap; max-height: 20rem; overflow-y: auto; }
textarea { width: 100%; }
.choices { display: flex; flex-wrap: wrap; gap: 8px 24px; border: 0; padding: 0; margin: 0; }
.choices legend { font-weight: 600; font-size: .875rem; padding: 0 0 4px; }
.choices label { display: flex; gap: 8px; align-items: baseline; font-weight: 400; }
.choices input { min-height: 0; }
.total { font-size: 1.25rem; font-weight: 600; }
@media (max-width: 640px) {
  table.rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.rows, table.rows tbody, table.rows tr { display: block; }
  table.data.rows tr { display: grid; grid-template-columns: 1fr auto; gap: 2px 12px; padding: 8px 0; border-bottom: 1px solid var(--line); }
  table.data.rows tr.fresh { padding-left: 8px; }
  table.data.rows :is(td, th) { border: 0; padding: 0; width: auto; text-align: left; }
  table.data.rows :is(td, th).lead { grid-column: 1 / -1; }
  table.data.rows td:empty { display: none; }
  table.rows tfoot, table.rows tfoot td { display: block; }
  table.data.rows :is(td, th):nth-child(odd):not(.lead) { text-align: right; }
  table.data.rows [data-label]::before { content: attr(data-label) ' '; color: var(--muted); }
}
`;

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
