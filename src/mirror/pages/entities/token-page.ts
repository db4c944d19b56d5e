import { type Html, html } from '../../../pages/html.ts';
import type { HoldersDocument, KeyDocument, NftsDocument, TokenDocument } from '../ask/documents.ts';
import type { LedgerQuestions } from '../ask/ledger-questions.ts';
import { decimal, grouped } from '../parts/amounts.ts';
import { readable, shortened } from '../parts/bytes-as-text.ts';
import { keyText } from '../parts/key-text.ts';
import {
  apiRequest,
  facts,
  nothing,
  type PageContext,
  renderLedgerPage,
  wideTable,
} from '../parts/ledger-frame.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { fullTime } from '../parts/times.ts';

const ROWS = 25;
const SHOWN_METADATA = 200;

const KEYS = [
  ['admin_key', 'Admin key'],
  ['supply_key', 'Supply key'],
  ['wipe_key', 'Wipe key'],
  ['freeze_key', 'Freeze key'],
  ['kyc_key', 'KYC key'],
  ['pause_key', 'Pause key'],
  ['fee_schedule_key', 'Fee schedule key'],
  ['metadata_key', 'Metadata key'],
] as const;

/**
 * `/ledger/tokens/{id}`.
 *
 * @throws MirrorApiError 400 for another form, 404 when the ledger does not know it.
 */
export async function tokenPage(
  text: string,
  context: PageContext,
  questions: LedgerQuestions,
): Promise<string> {
  const found = await questions.token(text);
  const token = found.document;
  const isNft = token.type === 'NON_FUNGIBLE_UNIQUE';
  const query = `?limit=${ROWS}`;
  const [holders, nfts] = await Promise.all([
    questions.holders(token.token_id, query),
    isNft ? questions.nfts(token.token_id, query) : null,
  ]);
  const links = await context.linksTo(token, holders.document, nfts?.document);
  const { root } = context.site;
  return renderLedgerPage(context, {
    title: `Token ${token.token_id}`,
    tab: null,
    main: html`<h1>Token ${token.token_id}${token.deleted === true ? html` <span class="mark failed">Deleted</span>` : null}</h1>
<p>${token.name === '' ? html`<span class="muted">unnamed</span>` : html`<bdi>${token.name}</bdi>`} <span class="muted">(<bdi>${token.symbol}</bdi>)</span></p>
${tokenFacts(token, links)}
${nfts === null ? null : nftList(nfts.document, links, `${root}${nfts.target}`)}
${holderList(holders.document, links, `${root}${holders.target}`)}
${apiRequest(context, [found.target, holders.target, ...(nfts === null ? [] : [nfts.target])])}`,
  });
}

function tokenFacts(token: TokenDocument, links: LedgerLinks): Html {
  const places = Number(token.decimals);
  const supply = (text: string) => decimal(BigInt(text), places);
  const metadata = token.metadata === '' ? null : readable(token.metadata).text;
  const fees = token.custom_fees;
  const feeCount =
    fees === null ? 0 : fees.fixed_fees.length + (fees.fractional_fees ?? fees.royalty_fees ?? []).length;
  return facts([
    ['Kind', token.type === 'NON_FUNGIBLE_UNIQUE' ? 'Non-fungible (NFTs)' : 'Fungible'],
    ['Total supply', supply(token.total_supply)],
    ['Max supply', token.supply_type === 'FINITE' ? supply(token.max_supply) : 'unlimited'],
    ['Initial supply', supply(token.initial_supply)],
    ['Decimals', token.decimals],
    ['Treasury', links.entity(token.treasury_account_id)],
    ['Created', token.created_timestamp === null ? null : fullTime(token.created_timestamp)],
    ['Changed', fullTime(token.modified_timestamp)],
    ['Paused', token.pause_status === 'PAUSED' ? 'Yes' : null],
    ['New holders', token.freeze_default === true ? 'are frozen' : null],
    ['Memo', token.memo === null || token.memo === '' ? null : token.memo],
    ['Metadata', metadata === null ? null : shortened(metadata, SHOWN_METADATA)],
    ['Custom fees', feeCount === 0 ? 'none' : `${feeCount}, see the JSON`],
    ...KEYS.map(([member, name]): readonly [string, Html | null] => {
      const key: KeyDocument | null = token[member] ?? null;
      return [name, key === null ? null : keyText(key)];
    }),
  ]);
}

function holderList({ balances, links: { next } }: HoldersDocument, links: LedgerLinks, api: string): Html {
  if (balances.length === 0) return html`<h2>Holders</h2>${nothing('No holders.')}`;
  return html`<h2>Holders</h2>
<table class="data">
<thead><tr><th scope="col">Account</th><th scope="col" class="number">Balance</th></tr></thead>
<tbody>
${balances.map(
  ({
    account,
    balance,
    decimals,
  }) => html`<tr><th scope="row">${links.entity(account)}</th><td class="number">${decimal(balance, Number(decimals ?? 0n))}</td></tr>
`,
)}</tbody>
</table>
${next === null ? null : html`<p class="muted small">Only the ${balances.length} with the highest ids; <a href="${api}">the API has all</a>.</p>`}`;
}

/** A burned NFT has no owner; one of a deleted token keeps it, and is called deleted as well. */
function ownerText(owner: string | null, isDeleted: boolean, links: LedgerLinks): Html {
  if (!isDeleted) return links.entity(owner);
  if (owner === null) return html`<span class="muted">burned</span>`;
  return html`${links.entity(owner)} <span class="muted">token deleted</span>`;
}

function nftList({ links: { next }, nfts }: NftsDocument, links: LedgerLinks, api: string): Html {
  if (nfts.length === 0) return html`<h2>NFTs</h2>${nothing('No NFTs minted.')}`;
  return html`<h2>NFTs</h2>
${wideTable(
  'NFTs',
  html`<table class="data">
<thead><tr><th scope="col">Serial number</th><th scope="col">Owner</th><th scope="col">Metadata</th></tr></thead>
<tbody>
${nfts.map(
  ({
    account_id,
    deleted,
    metadata,
    serial_number,
  }) => html`<tr><th scope="row">${grouped(serial_number)}</th><td>${ownerText(account_id, deleted, links)}</td><td>${shortened(readable(metadata).text, SHOWN_METADATA)}</td></tr>
`,
)}</tbody>
</table>`,
)}
${next === null ? null : html`<p class="muted small">Only the newest ${nfts.length}; <a href="${api}">the API has all</a>.</p>`}`;
}
