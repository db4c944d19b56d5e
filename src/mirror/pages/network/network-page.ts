import { type Html, html } from '../../../pages/html.ts';
import { NANOS_PER_SECOND as NANOS, parseTimestamp } from '../../../values/consensus-timestamp.ts';
import type { MaybePromise } from '../../../values/map-maybe.ts';
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
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { cursorOf, fromCursor, nextPage } from '../parts/next-page.ts';
import { rateInForce } from '../parts/rates.ts';
import { fullTime, utc } from '../parts/times.ts';

const ROWS = 25;

/** `/ledger/network`. @throws MirrorApiError 400 for a cursor that is none. */
export async function networkPage(
  target: string,
  context: PageContext,
  {
    newestTime,
    questions,
  }: { readonly questions: LedgerQuestions; readonly newestTime: () => MaybePromise<string | null> },
): Promise<string> {
  const cursor = cursorOf(readQuery(target));
  const [nodes, stake, rates, prices, supply] = await Promise.all([
    questions.nodes(`?limit=${ROWS}${fromCursor(cursor, 'node.id')}`),
    orNull(questions.stake()),
    orNull(questions.exchangeRate()),
    orNull(questions.gasPrices()),
    orNull(questions.supply()),
  ]);
  const links = await context.linksTo(nodes.document);
  const newest = await newestTime();
  const end = (newest === null ? null : parseTimestamp(newest)) ?? 0n;
  const { root } = context.site;
  const used = [nodes, stake, rates, prices, supply].filter((answer) => answer !== null);
  return renderLedgerPage(context, {
    title: 'Network',
    tab: 'network',
    main: html`<h1>Network</h1>
<h2>Supply</h2>
${supply === null ? nothing('Supply unknown from the imported part of the ledger.') : supplyFacts(supply.document)}
<h2>Exchange rate</h2>
${
  rates === null
    ? nothing('No exchange rates in the ledger (file 0.0.112).')
    : facts([
        [`In force at ${utc(end)} UTC`, rateText(rateInForce(rates.document, end), end)],
        ['Current', rateText(rates.document.current_rate, end)],
        ['Next', rateText(rates.document.next_rate, end)],
        ['Updated', fullTime(rates.document.timestamp)],
      ])
}
<h2>Gas prices</h2>
${
  prices === null
    ? nothing('No fee schedule in the ledger (files 0.0.111 and 0.0.113).')
    : facts([
        ...prices.document.fees.map(({ gas, transaction_type }): readonly [string, string] => [
          GAS_WORDS[transaction_type] ?? transaction_type,
          `${grouped(gas)} tinybars per unit of gas`,
        ]),
        ['Updated', fullTime(prices.document.timestamp)],
      ])
}
<p><a href="${root}/ledger/fees">Estimate the fee of a transaction</a></p>
<h2>Staking</h2>
${stake === null ? nothing('No stakes in the ledger.') : stakeFacts(stake.document)}
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

function rateText(rate: RateDocument, end: bigint): string {
  const price = priceOfHbar(rate);
  const isOver = rate.expiration_time <= end / NANOS;
  const parts = `${grouped(rate.cent_equivalent)} ¢ for ${grouped(rate.hbar_equivalent)} ℏ`;
  return `${price === null ? '' : `${price} per ℏ: `}${parts}, ${isOver ? 'expired' : 'until'} ${utc(rate.expiration_time * NANOS)} UTC`;
}

function stakeFacts(stake: StakeDocument): Html {
  return facts([
    ['Total staked', hbar(stake.stake_total)],
    ['Reward per period', hbar(stake.staking_reward_rate)],
    ['Max reward per ℏ', `${grouped(stake.max_staking_reward_rate_per_hbar)} tinybars`],
    ['Reserved for rewards', hbar(stake.reserved_staking_rewards)],
    ['Unreserved', hbar(stake.unreserved_staking_reward_balance)],
    ['Period', stake.staking_period === null ? null : html`from ${fullTime(stake.staking_period.from)}`],
  ]);
}

function nodeTable({ nodes }: NodesDocument, links: LedgerLinks): Html {
  if (nodes.length === 0) return nothing('No address book in the ledger (file 0.0.102).');
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
  }) => html`<tr><th scope="row">${node_id.toString()}</th><td>${links.entity(node_account_id)}</td><td>${description ?? ''}</td><td class="number">${stake === null ? '–' : hbar(stake)}</td><td>${service_endpoints.map(
    ({ domain_name, ip_address_v4, port }) =>
      html`<span class="note">${domain_name === '' ? ip_address_v4 : domain_name}:${port.toString()}</span>`,
  )}</td></tr>
`,
)}</tbody>
</table>`,
  );
}
