import { type Html, html, type Shown } from '../../../pages/html.ts';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { MirrorApiError } from '../../errors.ts';
import {
  type DetailedRequest,
  type EstimatedList,
  estimateList,
  type ListedEstimate,
  type MemberEstimate,
} from '../../fees/answers/detailed-estimate.ts';
import { explainExtra, printScheduleOrigin } from '../../fees/answers/fee-answer.ts';
import { ALL_DETAILS, parseFeeQuery } from '../../fees/answers/fee-request.ts';
import type { EstimateContext } from '../../fees/answers/send-estimate.ts';
import { type DecodedTransaction, decodeTransactions } from '../../fees/decode/decode-transaction.ts';
import { UnpriceableTransactionError } from '../../fees/fee-errors.ts';
import type { ChargedExtra, FeePart } from '../../fees/pricing/price-transaction.ts';
import { cents, dollars, grouped } from '../parts/amounts.ts';
import { faultList } from '../parts/faults.ts';
import { type PageContext, renderLedgerPage, wideTable } from '../parts/ledger-frame.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { fullTime } from '../parts/times.ts';
import { typeInWords } from '../words/type-words.ts';
import { accountsIn, decodedFacts } from './decoded-facts.ts';
import { type FeeFormBody, transactionBytes } from './fee-form-body.ts';

const EMPTY: FeeFormBody = { text: '', file: null, mode: '', signatures: '', throttle: '' };
/** Members of a list that are shown one by one; SDKs write one for each node. */
const MAX_SHOWN = 20;
/** Longer ones do not fit into a command line. */
const MAX_IN_COMMAND_LENGTH = 12_000;
const HTTP_BAD_REQUEST = 400;

/** `GET /ledger/fees`. */
export function emptyFeesPage(context: PageContext): string {
  return feesPage(context, EMPTY, null);
}

/** `POST /ledger/fees`: the form with its answer, or with what is wrong with it. */
export async function answeredFeesPage(
  form: FeeFormBody,
  context: PageContext,
  estimating: EstimateContext,
): Promise<{ readonly page: string; readonly statusCode: number }> {
  const refuse = (faults: Html, statusCode: number) => ({
    statusCode,
    page: feesPage(context, form, faults),
  });
  const given = transactionBytes(form);
  if ('fault' in given) return refuse(oneFault(given.fault), HTTP_BAD_REQUEST);
  try {
    const query = { ...parseFeeQuery({ mode: form.mode, ...optionsOf(form) }), details: ALL_DETAILS };
    const request: DetailedRequest = { ...estimating, query };
    const estimates = await estimateList(given.bytes, request);
    const shown = { decoded: firstOf(given.bytes), bytes: given.bytes, estimating, form };
    return { statusCode: 200, page: feesPage(context, form, await result(estimates, shown, context)) };
  } catch (error) {
    if (error instanceof UnpriceableTransactionError)
      return refuse(oneFault(inWords(error)), HTTP_BAD_REQUEST);
    if (!(error instanceof MirrorApiError)) throw error;
    return refuse(faultList('Estimate failed', error), error.statusCode);
  }
}

/** Those that are shown. */
function firstOf(bytes: Uint8Array): readonly DecodedTransaction[] {
  const first: DecodedTransaction[] = [];
  for (const each of decodeTransactions(bytes)) {
    first.push(each);
    if (first.length === MAX_SHOWN) break;
  }
  return first;
}

function feesPage(context: PageContext, form: FeeFormBody, answer: Html | null): string {
  const isState = form.mode.toUpperCase() === 'STATE';
  const mode = (value: string, isChosen: boolean, text: string) =>
    html`<label><input type="radio" name="mode" value="${value}"${isChosen ? html` checked` : null}> <span>${text}</span></label>`;
  return renderLedgerPage(context, {
    title: 'Fee calculator',
    tab: 'fees',
    main: html`<h1>Fee calculator</h1>
<p>Estimate the fee of a transaction before you submit it. Nothing is sent to the network or stored.</p>
${answer}
<h2>${answer === null ? 'Transaction' : 'Another transaction'}</h2>
<form class="fees" method="post" action="${context.site.root}/ledger/fees" enctype="multipart/form-data">
<label>Hexadecimal or base64 <span class="hint">from <code>toBytes()</code> of an SDK: one transaction, or the list for all nodes</span>
<textarea name="transaction" rows="6" spellcheck="false" autocapitalize="off" autocomplete="off">${form.text}</textarea></label>
<label>Or a file <input type="file" name="file"></label>
<fieldset class="choices"><legend>Estimate from</legend>
${mode('INTRINSIC', !isState, 'the transaction only')}
${mode('STATE', isState, 'the transaction and the state of this ledger: custom fees, token types, high volume')}
</fieldset>
<label>Expected signatures <input name="signatures" inputmode="numeric" value="${form.signatures}" placeholder="as in the transaction"></label>
<label>Utilization of the high-volume throttle <span class="hint">in basis points, 0 to 10000; applies to high-volume transactions</span>
<input name="high_volume_throttle" inputmode="numeric" value="${form.throttle}" placeholder="0"></label>
<button>Estimate</button>
</form>`,
  });
}

interface Answered {
  readonly decoded: readonly DecodedTransaction[];
  readonly bytes: Uint8Array;
  readonly estimating: EstimateContext;
  readonly form: FeeFormBody;
}

async function result(estimates: EstimatedList, answered: Answered, context: PageContext): Promise<Html> {
  const { money, total, transactions } = estimates;
  const { origin } = answered.estimating;
  const links = await context.linksTo(...accountsIn(answered.decoded));
  const count = transactions.length;
  const amount = money === null ? dollars(total) : `${dollars(total)} or ${money.hbar} ℏ`;
  return html`<section aria-labelledby="estimate">
<h2 id="estimate">Estimate</h2>
<p class="total">${amount}</p>
<p class="muted">${cents(total)}, ${grouped(total)} tinycents${
    money === null
      ? '. The ledger has no exchange rate, so the amount in ℏ is unknown'
      : html`; ${grouped(money.tinybars)} tinybars at the rate set at ${fullTime(printTimestamp(money.rate.timestamp))}`
  }. Prices: ${
    origin === 'bundled'
      ? 'the schedule bundled with this server'
      : origin === 'file'
        ? "the operator's schedule"
        : html`file 0.0.113 of ${fullTime(printScheduleOrigin(origin))}`
  }.</p>
${count === 1 ? null : html`<p>The list has ${count} transactions; of those with the same id, one is submitted and paid.</p>`}
${transactions
  .slice(0, MAX_SHOWN)
  .map((each, index) => oneEstimate(each, answered.decoded[index] ?? null, { index, count }, links))}
${count > MAX_SHOWN ? html`<p class="muted">First ${MAX_SHOWN} shown; the total includes all.</p>` : null}
${command(answered, context)}
</section>`;
}

function oneEstimate(
  listed: ListedEstimate,
  decoded: DecodedTransaction | null,
  { count, index }: { readonly index: number; readonly count: number },
  links: LedgerLinks,
): Html {
  const name = typeInWords(listed.member.toUpperCase());
  const title = count === 1 ? name : `${index + 1} of ${count}: ${name}`;
  const { inner } = listed;
  // Members for other nodes differ in nothing that matters here.
  const isOpen = index === 0;
  return html`<details class="box"${isOpen ? html` open` : null}>
<summary>${title}${listed.transactionId === null ? null : html` <span class="muted code">${listed.transactionId}</span>`}</summary>
${decoded === null ? null : decodedFacts(decoded, listed.money?.tinybars ?? null, links)}
${listed.estimate.notes.length === 0 ? null : html`<ul>${listed.estimate.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${feeTable(listed, `Fee of ${title}`)}
${
  inner === null || inner.estimates.length === 0
    ? null
    : html`<h3>Inner transactions</h3>
${inner.estimates.map((each) => html`<h4>${typeInWords(each.member.toUpperCase())}</h4>${feeTable(each, `Fee of ${each.member} inside`)}`)}
<p><strong>Including inner transactions: ${cents(inner.totalWithOuter)}</strong></p>`
}
</details>`;
}

function command({ bytes, form }: Answered, { serverUrl, site }: PageContext): Html {
  const mode = form.mode.toUpperCase() === 'STATE' ? 'state' : 'intrinsic';
  const query = new URLSearchParams({ mode, ...optionsOf(form) });
  const url = `${serverUrl}${site.root}/api/v1/network/fees/estimate?${query}`;
  const base64 = Buffer.from(bytes).toString('base64');
  const body =
    base64.length <= MAX_IN_COMMAND_LENGTH
      ? `-d '{"transaction":"${base64}"}'`
      : `-d @transaction.json   # {"transaction":"…base64…"}`;
  return html`<section class="request stack"><h3>API request</h3>
<pre data-copy>curl '${url}' -H 'content-type: application/json' ${body}</pre></section>`;
}

/** What was filled in, under the names of the API. */
function optionsOf({ signatures, throttle }: FeeFormBody): Record<string, string> {
  return {
    ...(signatures === '' ? {} : { signatures }),
    ...(throttle === '' ? {} : { high_volume_throttle: throttle }),
  };
}

function oneFault(text: string): Html {
  return html`<div class="banner is-major" role="alert"><h2>Estimate failed</h2><p>${text}</p></div>`;
}

const HINTS: Readonly<Record<string, string>> = {
  unparsable_transaction:
    'The bytes are not a transaction: they may be truncated, or belong to a record or receipt.',
  no_transaction_body:
    'The transaction has no body: paste the whole transaction, not only its body or signed part.',
  unknown_transaction_type:
    'Its type has no price: it is submitted by the network itself, or newer than the schedule.',
  empty_body: 'The input is empty.',
};

function inWords(error: UnpriceableTransactionError): string {
  const problem = error.cause instanceof LedgerlensError ? ` (${error.cause.message})` : '';
  const hint = HINTS[error.code];
  return `${error.message}${problem}. ${hint ?? ''}`.trim();
}

const LABELS = ['Counted', 'Included', 'Charged', 'Unit price'];

/** Each part of a fee with each of its extras, in words and in cents. */
function feeTable({ estimate, member }: MemberEstimate, label: string): Html {
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
