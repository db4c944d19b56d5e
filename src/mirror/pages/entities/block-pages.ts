import { html } from '../../../pages/html.ts';
import { readQuery } from '../../parameters/query-text.ts';
import { type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';
import { grouped } from '../parts/amounts.ts';
import { apiRequest, facts, nothing, type PageContext, renderLedgerPage } from '../parts/ledger-frame.ts';
import { ledgerLinks } from '../parts/ledger-links.ts';
import { cursorOf, fromCursor, nextPage } from '../parts/next-page.ts';
import { fullTime, shortTime } from '../parts/times.ts';
import { transactionTable } from '../transactions/transaction-rows.ts';

const ROWS = 25;

/** `/ledger/blocks`. @throws MirrorApiError 400 for a cursor that is none. */
export async function blocksPage(
  target: string,
  context: PageContext,
  questions: LedgerQuestions,
): Promise<string> {
  const cursor = cursorOf(readQuery(target));
  const found = await questions.blocks(`?limit=${ROWS}${fromCursor(cursor, 'block.number')}`);
  const links = ledgerLinks(context.site, new Map());
  const { blocks, links: api } = found.document;
  const table = html`<table class="data rows">
<caption class="unseen">Blocks</caption>
<thead><tr><th scope="col">Block</th><th scope="col">Last transaction, UTC</th><th scope="col" class="number">Transactions</th><th scope="col" class="number">Gas used</th><th scope="col" class="number">Bytes</th></tr></thead>
<tbody>
${blocks.map(
  ({
    count,
    gas_used,
    number,
    size,
    timestamp,
  }) => html`<tr><th scope="row" class="lead">${links.block(number)}</th><td>${shortTime(timestamp.to)}</td><td data-label="Transactions" class="number">${grouped(count)}</td><td data-label="Gas used" class="number">${gas_used === null ? '–' : grouped(gas_used)}</td><td data-label="Bytes" class="number">${grouped(size)}</td></tr>
`,
)}</tbody>
</table>`;
  return renderLedgerPage(context, {
    title: 'Blocks',
    tab: 'blocks',
    main: html`<h1>Blocks</h1>
<p class="muted">Record files and blocks of the ledger. Transactions of fixtures are in no block.</p>
${blocks.length === 0 ? nothing('No blocks.') : table}
${nextPage(`${context.site.root}/ledger/blocks`, cursor, api.next, 'block.number')}
${apiRequest(context, [found.target])}`,
  });
}

/**
 * `/ledger/blocks/{number or hash}` with its transactions.
 *
 * @throws MirrorApiError 400 for another form, 404 when there is no such block.
 */
export async function blockPage(
  text: string,
  target: string,
  context: PageContext,
  questions: LedgerQuestions,
): Promise<string> {
  const cursor = cursorOf(readQuery(target));
  const found = await questions.block(text);
  const block = found.document;
  const { number } = block;
  const before = number === 0n ? null : await orNull(questions.block((number - 1n).toString()));
  const { from, to } = block.timestamp;
  const list = await questions.blockTransactions(
    number,
    `?order=asc&limit=${ROWS}&timestamp=gte:${from}&timestamp=lte:${to}${fromCursor(cursor, 'timestamp')}`,
  );
  const links = await context.linksTo(list.document);
  const { links: api, transactions } = list.document;
  const title = `Block ${block.number}`;
  return renderLedgerPage(context, {
    title,
    tab: 'blocks',
    main: html`<h1>${title}</h1>
${facts([
  ['Transactions', grouped(block.count)],
  ['First transaction', fullTime(from)],
  ['Last transaction', fullTime(to)],
  ['Hash', html`<span class="code">${block.hash}</span>`],
  [
    'Previous hash',
    before?.document.hash === block.previous_hash
      ? html`<a class="code" href="${context.site.root}/ledger/blocks/${block.previous_hash}">${block.previous_hash}</a>`
      : html`<span class="code">${block.previous_hash}</span>`,
  ],
  ['File', block.name],
  ['Size', `${grouped(block.size)} bytes`],
  ['API version', block.hapi_version],
  ['Gas used', block.gas_used === null ? null : grouped(block.gas_used)],
])}
<h2>Transactions</h2>
${transactions.length === 0 ? nothing('Transactions no longer stored.') : transactionTable('Transactions', transactions, links)}
${nextPage(`${context.site.root}/ledger/blocks/${encodeURIComponent(text)}`, cursor, api.next)}
${apiRequest(context, [found.target, list.target])}`,
  });
}
