import { type Html, html } from '../../../pages/html.ts';
import type { TransactionDocument } from '../ask/documents.ts';
import { hbar } from '../parts/amounts.ts';
import { readable, shortened } from '../parts/bytes-as-text.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { shortTime } from '../parts/times.ts';
import { hasSucceeded } from '../words/result-words.ts';
import { typeInWords } from '../words/type-words.ts';
import { receiversOf } from './what-moved.ts';

const SHOWN_MEMO = 80;

/** Transactions as a table, each with a link to its page. */
export function transactionTable(
  caption: string,
  transactions: readonly TransactionDocument[],
  links: LedgerLinks,
): Html {
  return html`<table class="data rows">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Transaction</th><th scope="col">Consensus time, UTC</th><th scope="col">Payer</th><th scope="col">Result</th><th scope="col" class="number">Fee</th></tr></thead>
<tbody>
${transactions.map((transaction) => row(transaction, links))}</tbody>
</table>`;
}

function row(transaction: TransactionDocument, links: LedgerLinks): Html {
  const { charged_tx_fee, consensus_timestamp, name, result, transaction_id } = transaction;
  return html`<tr data-at="${consensus_timestamp}">
<th scope="row" class="lead">${links.transaction(consensus_timestamp, typeInWords(name))} ${gist(transaction, links)}</th>
<td>${shortTime(consensus_timestamp)}</td>
<td data-label="Payer">${links.entity(transaction_id.slice(0, transaction_id.indexOf('-')))}</td>
<td data-label="Result">${resultMark(result)}</td>
<td data-label="Fee" class="number">${hbar(charged_tx_fee)}</td>
</tr>
`;
}

/** What it did, as far as it fits into a line. */
function gist(transaction: TransactionDocument, links: LedgerLinks): Html {
  const { entity_id, memo_base64, nft_transfers, scheduled, token_transfers } = transaction;
  const [first, ...others] = receiversOf(transaction);
  const tokens = new Set([...token_transfers, ...nft_transfers].map(({ token_id }) => token_id));
  const memo = readable(memo_base64 ?? '').text;
  const parts: Html[] = [];
  if (entity_id !== null) parts.push(html`${links.entity(entity_id)}`);
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    parts.push(html`${hbar(first.amount)} to ${links.entity(first.account)}${more}`);
  }
  const [token] = tokens;
  if (token !== undefined && token !== entity_id) {
    parts.push(
      html`${links.entity(token)}${tokens.size === 1 ? '' : ` and ${tokens.size - 1} more tokens`} moved`,
    );
  }
  if (scheduled) parts.push(html`scheduled`);
  const told = parts.map((part, index) => (index === 0 ? part : html` · ${part}`));
  return html`${told.length === 0 ? null : html`<span class="note">${told}</span>`}${
    memo === '' ? null : html`<span class="note small">“<bdi>${shortened(memo, SHOWN_MEMO)}</bdi>”</span>`
  }`;
}

/** The result, in green or red and in words. */
function resultMark(result: string): Html {
  if (result === 'SUCCESS') return html`<span class="in">Succeeded</span>`;
  return html`<span class="${hasSucceeded(result) ? 'in' : 'out'}">${result.replaceAll('_', '\u200b_')}</span>`;
}
