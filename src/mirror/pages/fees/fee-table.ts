import { type Html, html, type Shown } from '../../../pages/html.ts';
import type { MemberEstimate } from '../../fees/answers/detailed-estimate.ts';
import { explainExtra } from '../../fees/answers/explain-extra.ts';
import type { ChargedExtra, FeePart } from '../../fees/pricing/price-transaction.ts';
import { cents, grouped } from '../parts/amounts.ts';
import { wideTable } from '../parts/ledger-frame.ts';

const LABELS = ['Counted', 'Included', 'Charged', 'Unit price'];

/** Each part of a fee with each of its extras, in words and in cents. */
export function feeTable({ estimate, member }: MemberEstimate, label: string): Html {
  const { additions, highVolumeMultiplier, network, node, service, total } = estimate;
  const rows = [
    ...part('Node fee', 'for the node that receives the transaction', node, member),
    row(
      'Network fee',
      network.multiplier === 0n
        ? 'none for this type'
        : `${network.multiplier} times the node fee with its extras, for consensus and storage`,
      [],
      network.subtotal,
    ),
    ...part('Service fee', 'for what the transaction does', service, member),
  ];
  return html`${wideTable(
    label,
    html`<table class="data rows">
<thead><tr><th scope="col">Part</th><th scope="col" class="number">Counted</th><th scope="col" class="number">Included</th><th scope="col" class="number">Charged</th><th scope="col" class="number">Unit price</th><th scope="col" class="number">Amount</th></tr></thead>
<tbody>
${rows}</tbody>
<tfoot><tr><th scope="row" colspan="5">Total</th><td class="number">${cents(total)}<span class="note small">${grouped(total)} tinycents</span></td></tr></tfoot>
</table>`,
  )}
${highVolumeMultiplier > 1n ? html`<p>High-volume pricing multiplies it by ${highVolumeMultiplier.toString()}.</p>` : null}
${
  additions.length === 0
    ? null
    : html`<p>Based on the state of this ledger, the network may also charge:</p>
<ul>${additions.map(
        ({ count, feePerUnit, name, subtotal }) =>
          html`<li>${extraInWords(name)}: ${grouped(count)} at ${cents(feePerUnit)}, together ${cents(subtotal)}</li>`,
      )}</ul>`
}`;
}

function part(name: string, purpose: string, { base, extras }: FeePart, member: string): readonly Html[] {
  return [row(name, `base fee ${purpose}`, [], base), ...extras.map((extra) => extraRow(extra, member))];
}

function extraRow(extra: ChargedExtra, member: string): Html {
  const { charged, count, feePerUnit, included, name, subtotal } = extra;
  const figures = [grouped(BigInt(count)), grouped(included), grouped(charged), cents(feePerUnit)];
  return row(
    html`+ ${extraInWords(name)} <span class="muted code">${name}</span>`,
    explainExtra(member, extra),
    figures,
    subtotal,
  );
}

function row(name: Shown, note: string, figures: readonly string[], amount: bigint): Html {
  const cells = LABELS.map((label, at) =>
    figures[at] === undefined
      ? html`<td class="number"></td>`
      : html`<td class="number" data-label="${label}">${figures[at]}</td>`,
  );
  return html`<tr><th scope="row" class="lead">${name}<span class="note small">${note}</span></th>${cells}<td class="number" data-label="Amount">${cents(amount)}</td></tr>
`;
}

/** What extras of the fee schedule are called on the page. */
const NAMES: Readonly<Record<string, string>> = {
  ACCOUNTS: 'Accounts',
  AIRDROPS: 'Pending airdrops',
  ALLOWANCES: 'Allowances',
  CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE: 'Topic with custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE: 'Message to a topic with custom fees',
  CONSENSUS_SUBMIT_MESSAGE_WITH_CUSTOM_FEE_BYTES: 'Bytes of the message',
  CONSENSUS_SUBMIT_MESSAGE_WITHOUT_CUSTOM_FEE_BYTES: 'Bytes of the message',
  CREATED_ACCOUNTS: 'Created accounts',
  GAS: 'Gas',
  HOOK_EXECUTION: 'Calls of hooks',
  HOOK_SLOT_UPDATE: 'Storage slots of hooks',
  HOOK_UPDATES: 'Hooks created or deleted',
  KEYS: 'Keys',
  NFT_UPDATE: 'NFTs updated',
  PROCESSING_BYTES: 'Bytes of the transaction',
  SCHEDULE_CREATE_CONTRACT_CALL_BASE: 'Scheduled contract call',
  SIGNATURES: 'Signatures',
  STATE_BYTES: 'Bytes to store',
  TOKEN_ASSOCIATE: 'Token associations',
  TOKEN_CREATE_WITH_CUSTOM_FEE: 'Token with custom fees',
  TOKEN_MINT_NFT: 'NFTs to mint',
  TOKEN_MINT_NFT_BASE: 'Minting NFTs',
  TOKEN_TRANSFER_BASE: 'Token transfer',
  TOKEN_TRANSFER_BASE_CUSTOM_FEES: 'Token transfer with custom fees',
  TOKEN_TYPES: 'Tokens and NFTs transferred',
};

/** An extra in words; one that is not listed keeps its name. */
function extraInWords(name: string): string {
  return NAMES[name] ?? name;
}
