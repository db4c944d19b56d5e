import { type Html, html } from '../../../pages/html.ts';
import { isTimestamp } from '../../../values/consensus-timestamp.ts';
import { notFoundError } from '../../errors.ts';
import type { TransactionDocument } from '../ask/documents.ts';
import { type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';
import { readExecution, senderId } from '../contracts/execution.ts';
import { executionView } from '../contracts/execution-view.ts';
import { grouped, hbar } from '../parts/amounts.ts';
import { readable } from '../parts/bytes-as-text.ts';
import { keyText } from '../parts/key-text.ts';
import { apiRequest, facts, type PageContext, renderLedgerPage } from '../parts/ledger-frame.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { type DatedRate, inDollars, rateAt } from '../parts/rates.ts';
import type { SourceStates } from '../parts/source-state.ts';
import { fullTime } from '../parts/times.ts';
import { hasSucceeded, resultInWords } from '../words/result-words.ts';
import { typeInWords } from '../words/type-words.ts';
import { transactionTable } from './transaction-rows.ts';
import { type TokenDecimals, transferTables } from './transfer-tables.ts';

/** Tokens whose decimals are looked up; a transaction moves ten at most. */
const MAX_TOKENS = 20;

/**
 * `/ledger/transactions/{id, hash or consensus time}`.
 *
 * @throws MirrorApiError 400 for another form, 404 when the ledger does not know it.
 */
export async function transactionPage(
  text: string,
  context: PageContext,
  questions: LedgerQuestions,
  sourceStates: SourceStates,
): Promise<string> {
  const shown = await findShown(text, questions);
  const { targets, transaction } = shown;
  const at = transaction.consensus_timestamp;
  const { parent_consensus_timestamp: parent } = transaction;
  const [rates, blocks, decimals, execution, parents] = await Promise.all([
    orNull(questions.exchangeRate(`?timestamp=${at}`)),
    questions.blocks(`?timestamp=${at}`),
    decimalsOf(transaction, questions),
    readExecution(transaction, questions, sourceStates),
    parent === null ? null : questions.transactions(`?timestamp=${parent}&limit=1`),
  ]);
  const links = await context.linksTo(
    shown,
    execution,
    execution === null ? null : senderId(execution.result),
  );
  const hasParent = (parents?.document.transactions.length ?? 0) > 0;
  const block = blocks.document.blocks[0]?.number ?? null;
  const name = typeInWords(transaction.name);
  return renderLedgerPage(context, {
    title: `${name} ${transaction.transaction_id}`,
    tab: 'transactions',
    main: html`<h1>${name} ${mark(transaction.result)}</h1>
<p>${resultInWords(transaction.result)}${hasSucceeded(transaction.result) ? null : html` <span class="muted code">${transaction.result}</span>`}</p>
<h2 class="unseen">Facts</h2>
${factList({ transaction, block, hasParent, rate: rateAt(rates?.document ?? null, at) }, links)}
${memo(transaction.memo_base64)}
${execution === null ? null : executionView(execution, links, context.site.root)}
${transferTables(transaction, decimals, links)}
${relatedList(shown, links)}
${apiRequest(context, [...targets, ...(execution?.targets ?? [])])}`,
  });
}

function mark(result: string): Html {
  return hasSucceeded(result)
    ? html`<span class="mark succeeded">Succeeded</span>`
    : html`<span class="mark failed">Failed</span>`;
}

function factList(
  {
    block,
    hasParent,
    rate,
    transaction,
  }: {
    readonly transaction: TransactionDocument;
    readonly block: bigint | null;
    /** Whether the ledger has what caused it. */
    readonly hasParent: boolean;
    readonly rate: DatedRate | null;
  },
  links: LedgerLinks,
): Html {
  const { entity_id, max_custom_fees, name, node, nonce, scheduled, transaction_id } = transaction;
  const dash = transaction_id.indexOf('-');
  const payer = transaction_id.slice(0, dash);
  const ofSdk = `${payer}@${transaction_id.slice(dash + 1).replace('-', '.')}${scheduled ? '?scheduled' : ''}${nonce === 0n ? '' : `/${nonce}`}`;
  const hash =
    transaction.transaction_hash === null ? null : Buffer.from(transaction.transaction_hash, 'base64');
  const { valid_duration_seconds: seconds } = transaction;
  return facts([
    [
      'Transaction id',
      html`<span class="code">${ofSdk}</span><br><span class="code muted">${transaction_id}</span>`,
    ],
    ['Consensus time', fullTime(transaction.consensus_timestamp)],
    ['Type', html`${typeInWords(name)} <span class="muted code">${name}</span>`],
    ['Result', html`<span class="code">${transaction.result}</span>`],
    ['Payer', links.entity(payer)],
    entity_id === null ? null : ['Entity', links.entity(entity_id)],
    ['Charged fee', money(transaction.charged_tx_fee, rate)],
    transaction.max_fee === null ? null : ['Max fee', money(BigInt(transaction.max_fee), null)],
    max_custom_fees.length === 0 ? null : ['Max custom fees', feeLimits(transaction, links)],
    node === null ? null : ['Submitted to node', links.entity(node)],
    block === null ? null : ['Block', links.block(block)],
    ['Valid start', fullTime(transaction.valid_start_timestamp)],
    seconds === null ? null : ['Valid duration', `${seconds} s`],
    ['Nonce', nonce === 0n ? '0 (submitted by a client)' : `${nonce} (caused by another transaction)`],
    scheduled ? ['Scheduled', 'Executed by a schedule'] : null,
    transaction.parent_consensus_timestamp === null
      ? null
      : [
          'Parent',
          hasParent
            ? links.transaction(
                transaction.parent_consensus_timestamp,
                transaction.parent_consensus_timestamp,
              )
            : transaction.parent_consensus_timestamp,
        ],
    transaction.batch_key ? ['Batch key', keyText(transaction.batch_key)] : null,
    transaction.high_volume ? ['High volume', 'Priced by the utilization of the high-volume throttle'] : null,
    hash === null
      ? null
      : [
          'Hash',
          html`<span class="code">0x${hash.toString('hex')}</span><br><span class="code muted">${transaction.transaction_hash}</span>`,
        ],
  ]);
}

function money(tinybars: bigint, rate: DatedRate | null): Html {
  return html`${hbar(tinybars)} <span class="muted">${grouped(tinybars)} tinybars${inDollars(tinybars, rate)}</span>`;
}

function feeLimits({ max_custom_fees }: TransactionDocument, links: LedgerLinks): Html {
  return html`<ul class="plain">${max_custom_fees.map(
    ({ account_id, amount, denominating_token_id }) =>
      html`<li>${links.entity(account_id)}: ${
        denominating_token_id === null
          ? hbar(amount)
          : html`${grouped(amount)} of ${links.entity(denominating_token_id)}`
      }</li>`,
  )}</ul>`;
}

function memo(base64: string | null): Html | null {
  if (base64 === null || base64 === '') return null;
  const { isText, text } = readable(base64);
  return html`<h2>Memo</h2>
${isText ? null : html`<p class="muted">Not text; shown in hexadecimal.</p>`}
<pre class="memo" tabindex="0" aria-label="Memo"><bdi>${text}</bdi></pre>`;
}

function relatedList({ related, transaction }: ShownTransaction, links: LedgerLinks): Html | null {
  if (related.length === 0) return null;
  const children = related.filter(
    ({ parent_consensus_timestamp }) => parent_consensus_timestamp === transaction.consensus_timestamp,
  );
  const rest = related.filter((each) => !children.includes(each));
  return html`${
    children.length === 0
      ? null
      : html`<h2>Children</h2>
${transactionTable('Children', children, links)}`
  }
${
  rest.length === 0
    ? null
    : html`<h2>Other transactions with this id</h2>
<p class="muted">Executions of a schedule or batch, preceding transactions, and duplicates.</p>
${transactionTable('Other transactions with this id', rest, links)}`
}`;
}

async function decimalsOf(
  { assessed_custom_fees = [], token_transfers }: TransactionDocument,
  questions: LedgerQuestions,
): Promise<TokenDecimals> {
  const all = [...token_transfers, ...assessed_custom_fees].map(({ token_id }) => token_id);
  const tokens = [...new Set(all)].filter((token) => token !== null).slice(0, MAX_TOKENS);
  const found = await Promise.all(tokens.map((token) => orNull(questions.token(token))));
  return new Map(
    tokens.map((token, index) => [
      token,
      found[index] == null ? null : Number(found[index].document.decimals),
    ]),
  );
}

/** A transaction with those that share its id: children, what was scheduled, duplicates. */
interface ShownTransaction {
  readonly transaction: TransactionDocument;
  readonly related: readonly TransactionDocument[];
  /** Requests that give it. */
  readonly targets: readonly string[];
}

/** How SDKs print an id: what follows it names a child or what a schedule executed. */
const SUFFIX = /^([^?/]+(?:-|@)[^?/]+?)(?:\?scheduled)?(?:\/(\d{1,10}))?$/;

/**
 * Finds the transaction that an id, a hash or a consensus time names. Of several with one id it is the one that was submitted
 * and took effect, unless the text says otherwise.
 *
 * @throws MirrorApiError 400 for another form, 404 when the ledger does not know it.
 */
async function findShown(text: string, questions: LedgerQuestions): Promise<ShownTransaction> {
  if (isTimestamp(text)) return findAt(text, questions);
  const [, id = text, nonce] = SUFFIX.exec(text) ?? [];
  const isScheduled = text.includes('?scheduled');
  const query = [
    ...(nonce === undefined ? [] : [`nonce=${nonce}`]),
    ...(isScheduled ? ['scheduled=true'] : []),
  ].join('&');
  const asked = query === '' ? '' : `?${query}`;
  const { document, target } = await questions.transaction(id, asked);
  const [first] = [...document.transactions].sort(byRank);
  if (first === undefined) throw notFoundError();
  const all = asked === '' ? document.transactions : await sharing(first, questions);
  return { transaction: first, related: others(all, first), targets: [target] };
}

async function findAt(time: string, questions: LedgerQuestions): Promise<ShownTransaction> {
  const listed = await questions.transactions(`?timestamp=${time}&limit=1`);
  const [row] = listed.document.transactions;
  if (row === undefined) throw notFoundError(`No transaction has the consensus timestamp ${time}`);
  const all = await sharing(row, questions);
  // The single transaction tells its custom fees too.
  const single = all.find(({ consensus_timestamp }) => consensus_timestamp === row.consensus_timestamp);
  const query = `?nonce=${row.nonce}&scheduled=${row.scheduled}`;
  return {
    transaction: single ?? row,
    related: others(all, row),
    targets: [`/api/v1/transactions/${row.transaction_id}${query}`],
  };
}

async function sharing({ transaction_id }: TransactionDocument, questions: LedgerQuestions) {
  return (await questions.transaction(transaction_id)).document.transactions;
}

function others(all: readonly TransactionDocument[], { consensus_timestamp }: TransactionDocument) {
  return all.filter((each) => each.consensus_timestamp !== consensus_timestamp);
}

/** Submitted ones before children, and those that were handled before their duplicates. */
function byRank(left: TransactionDocument, right: TransactionDocument): number {
  return rank(left) - rank(right);
}

function rank({ nonce, result, scheduled }: TransactionDocument): number {
  return (nonce === 0n ? 0 : 4) + (scheduled ? 2 : 0) + (result === 'DUPLICATE_TRANSACTION' ? 1 : 0);
}
