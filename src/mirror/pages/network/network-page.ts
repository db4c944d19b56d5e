import { type Html, html } from '../../../pages/html.ts';
import { readQuery } from '../../parameters/query-text.ts';
import type { NodesDocument, RateDocument, StakeDocument, SupplyDocument } from '../ask/documents.ts';
import { type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';
import { grouped, hbar, priceOfHbar } from '../parts/amounts.ts';
import {
  apiRequest,
  facts,
  nothing,
  type PageContext,
  renderLedgerPage,
  wideTable,
} from '../parts/ledger-frame.ts';
import { type LedgerLinks, ledgerLinks } from '../parts/ledger-links.ts';
import { cursorOf, fromCursor, nextPage } from '../parts/next-page.ts';
import { rateAt } from '../parts/rate-at.ts';
import { fullTime, utc } from '../parts/times.ts';

const ROWS = 25;
const NANOS = 1_000_000_000n;

/** `/ledger/network`. @throws MirrorApiError 400 for a cursor that is none. */
export async function networkPage(
  target: string,
  context: PageContext,
  { nowSeconds, questions }: { readonly questions: LedgerQuestions; readonly nowSeconds: () => bigint },
): Promise<string> {
  const cursor = cursorOf(readQuery(target));
  const [nodes, stake, rates, prices, supply] = await Promise.all([
    questions.nodes(`?limit=${ROWS}${fromCursor(cursor, 'node.id')}`),
    orNull(questions.stake()),
    orNull(questions.exchangeRate()),
    orNull(questions.gasPrices()),
    orNull(questions.supply()),
  ]);
  const links = ledgerLinks(context.site);
  const { root } = context.site;
  const used = [nodes, stake, rates, prices, supply].filter((answer) => answer !== null);
  return renderLedgerPage(context, {
    title: 'Network',
    tab: 'network',
    main: html`<h1>Network</h1>
<h2>Supply</h2>
${supply === null ? nothing('The imported part of the ledger does not tell the supply.') : supplyFacts(supply.document)}
<h2>Exchange rate</h2>
${
  rates === null
    ? nothing('The ledger has no exchange rates (file 0.0.112).')
    : facts([
        ['Used now', rateText(rateAt(rates.document, nowSeconds()), nowSeconds())],
        ['Current', rateText(rates.document.current_rate, nowSeconds())],
        ['Next', rateText(rates.document.next_rate, nowSeconds())],
        ['Told at', fullTime(rates.document.timestamp)],
      ])
}
<h2>Gas prices</h2>
${
  prices === null
    ? nothing('The ledger has no fee schedule (files 0.0.111 and 0.0.113).')
    : facts([
        ...prices.document.fees.map(({ gas, transaction_type }): readonly [string, string] => [
          GAS_WORDS[transaction_type] ?? transaction_type,
          `${grouped(gas)} tinybars for one unit of gas`,
        ]),
        ['Told at', fullTime(prices.document.timestamp)],
      ])
}
<p><a href="${root}/ledger/fees">What a transaction costs</a></p>
<h2>Staking</h2>
${stake === null ? nothing('The ledger has no stakes.') : stakeFacts(stake.document)}
<h2>Nodes</h2>
${nodeTable(nodes.document, links)}
${nextPage(`${root}/ledger/network`, cursor, nodes.document.links.next, 'node.id')}
${apiRequest(
  context,
  used.map(({ target: one }) => one),
)}`,
  });
}

const GAS_WORDS: Readonly<Record<string, string>> = {
  ContractCall: 'Contract call',
  ContractCreate: 'Create contract',
  EthereumTransaction: 'Ethereum transaction',
};

function supplyFacts({ released_supply, timestamp, total_supply }: SupplyDocument): Html {
  return facts([
    ['Total', hbar(BigInt(total_supply))],
    ['Released', released_supply === null ? 'unknown' : hbar(BigInt(released_supply))],
    ['As of', fullTime(timestamp)],
  ]);
}

function rateText(rate: RateDocument, nowSeconds: bigint): string {
  const price = priceOfHbar(rate);
  const isOver = rate.expiration_time <= nowSeconds;
  const parts = `${grouped(rate.cent_equivalent)} ¢ for ${grouped(rate.hbar_equivalent)} ℏ`;
  return `${price === null ? '' : `${price} for one ℏ: `}${parts}, ${isOver ? 'expired' : 'until'} ${utc(rate.expiration_time * NANOS)} UTC`;
}

function stakeFacts(stake: StakeDocument): Html {
  return facts([
    ['Staked in all', hbar(stake.stake_total)],
    ['Reward of a period', hbar(stake.staking_reward_rate)],
    ['Largest reward of one ℏ', `${grouped(stake.max_staking_reward_rate_per_hbar)} tinybars`],
    ['Reserved for rewards', hbar(stake.reserved_staking_rewards)],
    ['Not reserved', hbar(stake.unreserved_staking_reward_balance)],
    ['Period', stake.staking_period === null ? null : html`from ${fullTime(stake.staking_period.from)}`],
  ]);
}

function nodeTable({ nodes }: NodesDocument, links: LedgerLinks): Html {
  if (nodes.length === 0) return nothing('The ledger has no address book (file 0.0.102).');
  return wideTable(
    'Nodes',
    html`<table class="data">
<thead><tr><th scope="col">Node</th><th scope="col">Account</th><th scope="col">Description</th><th scope="col" class="number">Stake</th><th scope="col">Endpoints</th></tr></thead>
<tbody>
${nodes.map(
  ({
    description,
    node_account_id,
    node_id,
    service_endpoints,
    stake,
  }) => html`<tr><th scope="row">${node_id.toString()}</th><td>${links.account(node_account_id)}</td><td>${description ?? ''}</td><td class="number">${stake === null ? '–' : hbar(stake)}</td><td>${service_endpoints.map(
    ({ domain_name, ip_address_v4, port }) =>
      html`<span class="note">${domain_name === '' ? ip_address_v4 : domain_name}:${port.toString()}</span>`,
  )}</td></tr>
`,
)}</tbody>
</table>`,
  );
}
