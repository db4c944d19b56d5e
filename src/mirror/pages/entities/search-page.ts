import { html } from '../../../pages/html.ts';
import { type PageContext, renderLedgerPage } from '../parts/ledger-frame.ts';
import type { SearchOutcome } from './search.ts';

/** What a search shows that leads to no page. */
export function searchPage(
  text: string,
  outcome: Exclude<SearchOutcome, { readonly kind: 'page' }>,
  context: PageContext,
): string {
  const { root } = context.site;
  const main =
    outcome.kind === 'schedule'
      ? html`<h1>Schedule ${outcome.id}</h1>
<p>Schedules have no page. <a href="${root}/api/v1/schedules/${outcome.id}">Open as JSON</a></p>`
      : html`${
          text === ''
            ? html`<h1>Search</h1>`
            : html`<h1>No results</h1>
<p>No results for “${text}”.</p>`
        }
<h2>You can search for</h2>
<ul>
<li>accounts, contracts, tokens and topics by id: <span class="code">0.0.1001</span></li>
<li>accounts and contracts by EVM address or alias: <span class="code">0x00000000000000000000000000000000000003e9</span></li>
<li>transactions by id, hash or consensus time: <span class="code">0.0.1001@1700000000.000000000</span>, <span class="code">1700000001.000000002</span></li>
<li>blocks by number or hash: <span class="code">42</span></li>
</ul>
<p class="muted">Only the imported part of the ledger is searched, which may start later than the network.</p>`;
  return renderLedgerPage(context, {
    title: 'Search',
    tab: null,
    main,
    searched: text,
    isHiddenFromSearch: true,
  });
}
