import { html } from '../../../pages/html.ts';
import { type PageContext, renderLedgerPage } from '../parts/ledger-frame.ts';
import type { SearchOutcome } from './search.ts';

const KIND_WORDS: Readonly<Record<string, string>> = { FILE: 'a file', SCHEDULE: 'a schedule' };

/** What a search shows that leads to no page. */
export function searchPage(
  text: string,
  outcome: Exclude<SearchOutcome, { readonly kind: 'page' }>,
  context: PageContext,
): string {
  const { root } = context.site;
  const main =
    outcome.kind === 'entity'
      ? html`<h1>${outcome.id}</h1>
<p>${outcome.id} is ${KIND_WORDS[outcome.type] ?? `of the kind ${outcome.type}`}, which has no page of its own.</p>
${outcome.type === 'SCHEDULE' ? html`<p><a href="${root}/api/v1/schedules/${outcome.id}">Open it as JSON</a></p>` : null}`
      : html`<h1>Nothing found</h1>
<p>This ledger knows nothing by the name “${text}”.</p>
<h2>What can be searched</h2>
<ul>
<li>accounts, contracts, tokens and topics by id: <span class="code">0.0.1001</span></li>
<li>accounts and contracts by EVM address or alias: <span class="code">0x00000000000000000000000000000000000003e9</span></li>
<li>transactions by id, hash or consensus time: <span class="code">0.0.1001@1700000000.000000000</span>, <span class="code">1700000001.000000002</span></li>
<li>blocks by number or hash: <span class="code">42</span></li>
</ul>
<p class="muted">Only what was imported is found: the ledger may begin later than the network.</p>`;
  return renderLedgerPage(context, {
    title: 'Search',
    tab: null,
    main,
    searched: text,
    isHiddenFromSearch: true,
  });
}
