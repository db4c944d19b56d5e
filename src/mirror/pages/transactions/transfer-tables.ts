import { type Html, html } from '../../../pages/html.ts';
import type { NftTransferDocument, TransactionDocument } from '../ask/documents.ts';
import { decimal, grouped, hbar, signed } from '../parts/amounts.ts';
import { wideTable } from '../parts/ledger-frame.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { sumOf } from './what-moved.ts';

/** Decimals of tokens by id; null where the ledger does not tell. */
export type TokenDecimals = ReadonlyMap<string, number | null>;

/** Everything that a transaction moved. */
export function transferTables(
  transaction: TransactionDocument,
  decimals: TokenDecimals,
  links: LedgerLinks,
): Html {
  return html`${hbarTransfers(transaction, links)}
${tokenTransfers(transaction, decimals, links)}
${nftTransfers(transaction, links)}
${rewards(transaction, links)}
${assessedFees(transaction, decimals, links)}`;
}

function hbarTransfers(
  { staking_reward_transfers, transfers }: TransactionDocument,
  links: LedgerLinks,
): Html {
  if (transfers.length === 0) return html`<h2>Transfers of ℏ</h2><p class="muted">No ℏ transferred.</p>`;
  const sum = sumOf(transfers);
  const why =
    sum === 0n
      ? null
      : html`<p class="banner is-degraded"><span>The amounts do not add up to zero. ${
          staking_reward_transfers.length > 0
            ? 'Staking rewards were paid in the same transaction; they are listed below.'
            : 'The ledger contains them this way: the record may omit accounts, or the fixture was written by hand.'
        }</span></p>`;
  const rows = transfers.map(
    ({
      account,
      amount,
      is_approval,
    }) => html`<tr><th scope="row">${links.entity(account)}${approval(is_approval)}</th>${amountCells(amount, hbar(amount))}<td class="number">${signed(amount, grouped(amount))}</td></tr>
`,
  );
  return html`<h2>Transfers of ℏ</h2>
${why}
${wideTable(
  'Transfers of ℏ',
  html`<table class="data">
<thead><tr><th scope="col">Account</th><th scope="col" class="number">Amount</th><th scope="col" class="number">Tinybars</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row">Sum</th><td class="number">${hbar(sum)}</td><td class="number">${grouped(sum)}</td></tr></tfoot>
</table>`,
)}`;
}

function tokenTransfers(
  { token_transfers }: TransactionDocument,
  decimals: TokenDecimals,
  links: LedgerLinks,
): Html | null {
  if (token_transfers.length === 0) return null;
  const tokens = [...new Set(token_transfers.map(({ token_id }) => token_id))];
  return html`<h2>Transfers of tokens</h2>
${tokens.map((token) => {
  const moves = token_transfers.filter(({ token_id }) => token_id === token);
  const sum = sumOf(moves);
  const places = decimals.get(token) ?? null;
  const amount = (value: bigint) => (places === null ? grouped(value) : decimal(value, places));
  const note = sum === 0n ? null : sum > 0n ? 'The sum was minted.' : 'The sum was burned or wiped.';
  return wideTable(
    `Transfers of token ${token}`,
    html`<table class="data">
<caption>Token ${links.entity(token)}${places === null ? html` <span class="muted small">in the smallest unit; decimals unknown</span>` : null}</caption>
<thead><tr><th scope="col">Account</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>
${moves.map(
  ({
    account,
    amount: value,
    is_approval,
  }) => html`<tr><th scope="row">${links.entity(account)}${approval(is_approval)}</th>${amountCells(value, amount(value))}</tr>
`,
)}</tbody>
<tfoot><tr><th scope="row">Sum${note === null ? null : html` <span class="muted small">${note}</span>`}</th><td class="number">${amount(sum)}</td></tr></tfoot>
</table>`,
  );
})}`;
}

function nftTransfers({ nft_transfers }: TransactionDocument, links: LedgerLinks): Html | null {
  if (nft_transfers.length === 0) return null;
  return html`<h2>NFT transfers</h2>
${wideTable(
  'NFT transfers',
  html`<table class="data">
<thead><tr><th scope="col">Token</th><th scope="col">Serial number</th><th scope="col">From</th><th scope="col">To</th></tr></thead>
<tbody>
${nft_transfers.map(
  (
    each,
  ) => html`<tr><th scope="row">${links.entity(each.token_id)}${approval(each.is_approval)}</th><td>${serialText(each)}</td><td>${each.sender_account_id === null ? 'minted' : links.entity(each.sender_account_id)}</td><td>${receiverText(each, links)}</td></tr>
`,
)}</tbody>
</table>`,
)}`;
}

/** A serial number below zero counts NFTs: a new treasury takes all, and a dissociation ends those of a deleted token. */
function serialText({ receiver_account_id, serial_number }: NftTransferDocument): string {
  if (serial_number >= 0n) return grouped(serial_number);
  return receiver_account_id === null ? `${grouped(-serial_number)} in all` : 'all of the treasury';
}

function receiverText({ receiver_account_id, serial_number }: NftTransferDocument, links: LedgerLinks) {
  if (receiver_account_id !== null) return links.entity(receiver_account_id);
  return serial_number < 0n ? 'token deleted' : 'burned or wiped';
}

function rewards(
  { staking_reward_transfers, transaction_id }: TransactionDocument,
  links: LedgerLinks,
): Html | null {
  // One of the dialects prints the number alone.
  const home = transaction_id.split('.', 2).join('.');
  if (staking_reward_transfers.length === 0) return null;
  return html`<h2>Staking rewards</h2>
<p class="muted">Paid by the reward account and included in the transfers above.</p>
<table class="data">
<thead><tr><th scope="col">Account</th><th scope="col" class="number">Reward</th></tr></thead>
<tbody>
${staking_reward_transfers.map(
  ({
    account,
    amount,
  }) => html`<tr><th scope="row">${links.entity(typeof account === 'bigint' ? `${home}.${account}` : account)}</th>${amountCells(amount, hbar(amount))}</tr>
`,
)}</tbody>
</table>`;
}

function assessedFees(
  { assessed_custom_fees = [] }: TransactionDocument,
  decimals: TokenDecimals,
  links: LedgerLinks,
): Html | null {
  if (assessed_custom_fees.length === 0) return null;
  return html`<h2>Custom fees</h2>
${wideTable(
  'Custom fees',
  html`<table class="data">
<thead><tr><th scope="col">Collector</th><th scope="col" class="number">Amount</th><th scope="col">Paid by</th></tr></thead>
<tbody>
${assessed_custom_fees.map(({ amount, collector_account_id, effective_payer_account_ids, token_id }) => {
  const places = token_id === null ? null : (decimals.get(token_id) ?? 0);
  const shown =
    token_id === null || places === null
      ? hbar(amount)
      : html`${decimal(amount, places)} of ${links.entity(token_id)}`;
  return html`<tr><th scope="row">${links.entity(collector_account_id)}</th><td class="number">${shown}</td><td>${
    effective_payer_account_ids.length === 0
      ? links.entity(null)
      : effective_payer_account_ids.map((payer, index) => [index === 0 ? '' : ', ', links.entity(payer)])
  }</td></tr>
`;
})}</tbody>
</table>`,
)}`;
}

function amountCells(amount: bigint, text: string): Html {
  return html`<td class="number ${amount < 0n ? 'out' : 'in'}">${signed(amount, text)}</td>`;
}

function approval(is: boolean): Html | null {
  return is ? html` <span class="mark muted">by approval</span>` : null;
}
