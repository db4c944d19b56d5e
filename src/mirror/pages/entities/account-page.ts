import { type Html, html } from '../../../pages/html.ts';
import type { MaybePromise } from '../../../values/map-maybe.ts';
import { readQuery } from '../../parameters/query-text.ts';
import type {
  AccountDocument,
  AllowancesDocument,
  ContractDocument,
  ContractResultsDocument,
  HeldTokensDocument,
} from '../ask/documents.ts';
import { type Answer, type LedgerQuestions, orNull } from '../ask/ledger-questions.ts';
import { senderId } from '../contracts/execution.ts';
import { callTable } from '../contracts/execution-view.ts';
import { decimal, grouped, hbar } from '../parts/amounts.ts';
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
import { cursorOf, fromCursor, nextPage } from '../parts/next-page.ts';
import { type DatedRate, inDollars, rateAt } from '../parts/rates.ts';
import { type SourceState, type SourceStates, sourceLinks } from '../parts/source-state.ts';
import { duration, fullTime } from '../parts/times.ts';
import { transactionTable } from '../transactions/transaction-rows.ts';

/** What account pages are made of. */
export interface AccountPageParts {
  readonly questions: LedgerQuestions;
  readonly sourceStates: SourceStates;
  /** Printed end of the newest unit. */
  readonly newestTime: () => MaybePromise<string | null>;
}

const ROWS = 25;
const FEW = 10;

/**
 * `/ledger/accounts/{id, alias or EVM address}`: an account or a contract.
 *
 * @throws MirrorApiError 400 for another form, 404 when the ledger does not know it.
 */
export async function accountPage(
  text: string,
  target: string,
  context: PageContext,
  { newestTime, questions, sourceStates }: AccountPageParts,
): Promise<string> {
  const cursor = cursorOf(readQuery(target));
  const found = await questions.account(text, `?limit=${ROWS}${fromCursor(cursor, 'timestamp')}`);
  // A page of former transactions shows the account as it was before them: the facts are those of now.
  const now = cursor === null ? found : await questions.account(text, '?transactions=false');
  const id = now.document.account;
  const few = `?limit=${FEW}`;
  const [contract, tokens, hbars, tokenAllowances, nftAllowances, rates] = await Promise.all([
    orNull(questions.contract(id)),
    orNull(questions.accountTokens(id, `?limit=${ROWS}`)),
    orNull(questions.hbarAllowances(id, few)),
    orNull(questions.tokenAllowances(id, few)),
    orNull(questions.nftAllowances(id, few)),
    orNull(questions.exchangeRate()),
  ]);
  const [sources, calls] =
    contract === null
      ? [[], null]
      : await Promise.all([
          sourceStates(contract.document.evm_address),
          questions.resultsOfContract(id, `?limit=${ROWS}&decode=true`),
        ]);
  const links = await context.linksTo(
    [found, now, contract, calls, tokens, hbars, tokenAllowances, nftAllowances].map(
      (answer) => answer?.document,
    ),
    calls?.document.results.map(senderId),
  );
  const { root } = context.site;
  const rate = rateAt(rates?.document ?? null, await newestTime());
  const { links: api, transactions } = found.document;
  const isContract = contract !== null;
  const title = `${isContract ? 'Contract' : 'Account'} ${id}`;
  const filtered = `${root}/ledger?account.id=${id}`;
  return renderLedgerPage(context, {
    title,
    tab: null,
    main: html`<h1>${title}${now.document.deleted === true ? html` <span class="mark failed">Deleted</span>` : null}</h1>
${accountFacts(now.document, rate, links)}
${contract === null ? null : contractFacts(contract.document, sources, context, links)}
${calls === null ? null : callList(calls.document, links, `${root}${calls.target}`, now.document.created_timestamp)}
${heldTokens(tokens, links, `${root}${tokens?.target ?? ''}`)}
${allowances([hbars, tokenAllowances, nftAllowances], links)}
<h2>${cursor === null ? 'Newest transactions' : 'Transactions'}</h2>
<p><a href="${filtered}">Filter or follow live</a></p>
${transactions.length === 0 ? nothing(isContract ? 'No transaction changed its balance.' : 'No transactions.') : transactionTable(`Transactions of ${id}`, transactions, links)}
${nextPage(`${root}/ledger/accounts/${encodeURIComponent(text)}`, cursor, api.next)}
${apiRequest(context, [found.target, ...[calls, tokens].flatMap((answer) => answer?.target ?? [])])}`,
  });
}

function accountFacts(account: AccountDocument, rate: DatedRate | null, links: LedgerLinks): Html {
  const balance = account.balance?.balance ?? null;
  const since = account.balance?.timestamp ?? null;
  const associations = account.max_automatic_token_associations;
  return facts([
    [
      'Balance',
      balance === null
        ? html`<span class="muted">unknown from the imported part of the ledger</span>`
        : html`<strong>${hbar(balance)}</strong> <span class="muted">${grouped(balance)} tinybars${inDollars(balance, rate)}</span>`,
    ],
    since === null ? null : ['Balance since', fullTime(since)],
    [
      'EVM address',
      account.evm_address === null ? null : html`<span class="code">${account.evm_address}</span>`,
    ],
    ['Alias', account.alias === null ? null : html`<span class="code">${account.alias}</span>`],
    ['Key', account.key === null ? null : keyText(account.key)],
    ['Memo', account.memo === null || account.memo === '' ? null : account.memo],
    ['Created', account.created_timestamp === null ? null : fullTime(account.created_timestamp)],
    ['Expires', account.expiry_timestamp === null ? null : fullTime(account.expiry_timestamp)],
    ['Auto-renew period', account.auto_renew_period === null ? null : duration(account.auto_renew_period)],
    ['Staked to', stakedTo(account, links)],
    ['Staked since', account.stake_period_start === null ? null : fullTime(account.stake_period_start)],
    ['Pending reward', account.pending_reward === null ? null : hbar(account.pending_reward)],
    ['Rewards', account.decline_reward === true ? 'Declined' : null],
    ['Ethereum nonce', account.ethereum_nonce === null ? null : grouped(account.ethereum_nonce)],
    [
      'Automatic associations',
      associations === null ? null : associations === -1n ? 'unlimited' : grouped(associations),
    ],
    ['Receiver signature', account.receiver_sig_required === true ? 'Required' : null],
  ]);
}

function stakedTo(
  { staked_account_id, staked_node_id }: AccountDocument,
  links: LedgerLinks,
): Html | string | null {
  if (staked_account_id !== null) return html`Account ${links.entity(staked_account_id)}`;
  return staked_node_id === null || staked_node_id < 0n ? null : `Node ${staked_node_id}`;
}

function contractFacts(
  contract: ContractDocument,
  states: readonly SourceState[],
  { site: { root } }: PageContext,
  links: LedgerLinks,
): Html {
  const code = contract.runtime_bytecode;
  const bytes = code === null ? null : BigInt(Math.max(0, code.length - 2) / 2);
  return html`<h2>Contract</h2>
${facts([
  ['Verified source', sourceLinks(states, contract.evm_address, root)],
  ['Runtime code', bytes === null ? 'unknown' : `${grouped(bytes)} bytes`],
  ['Admin key', contract.admin_key === null ? null : keyText(contract.admin_key)],
  ['Nonce', contract.nonce === null ? null : grouped(contract.nonce)],
  ['Created from file', contract.file_id],
  [
    'Auto-renew account',
    contract.auto_renew_account === null ? null : links.entity(contract.auto_renew_account),
  ],
  ['Balance transferred to', contract.obtainer_id === null ? null : links.entity(contract.obtainer_id)],
])}`;
}

function callList(
  { links: { next }, results }: ContractResultsDocument,
  links: LedgerLinks,
  api: string,
  createdAt: string | null,
): Html {
  if (results.length === 0) return html`<h2>Calls</h2>${nothing('No calls.')}`;
  return html`<h2>Newest calls</h2>
${callTable(results, links, createdAt)}
${next === null ? null : html`<p class="muted small">Only the newest ${results.length}; <a href="${api}">the API has all</a>.</p>`}`;
}

function heldTokens(answer: Answer<HeldTokensDocument> | null, links: LedgerLinks, api: string): Html | null {
  if (answer === null || answer.document.tokens.length === 0) return null;
  const { tokens } = answer.document;
  const { next } = answer.document.links;
  return html`<h2>Tokens</h2>
${wideTable(
  'Tokens',
  html`<table class="data">
<thead><tr><th scope="col">Token</th><th scope="col" class="number">Balance</th><th scope="col">Freeze</th><th scope="col">KYC</th></tr></thead>
<tbody>
${tokens.map(
  ({
    balance,
    decimals,
    freeze_status,
    kyc_status,
    token_id,
  }) => html`<tr><th scope="row">${links.entity(token_id)}</th><td class="number">${balance === null ? '–' : decimal(balance, Number(decimals ?? 0n))}</td><td>${status(freeze_status)}</td><td>${status(kyc_status)}</td></tr>
`,
)}</tbody>
</table>`,
)}
${next === null ? null : html`<p class="muted small">Only the first ${tokens.length}; <a href="${api}">the API has all</a>.</p>`}`;
}

function status(text: string | null): string {
  return text === null || text === 'NOT_APPLICABLE' ? '–' : text.toLowerCase();
}

function allowances(lists: readonly (Answer<AllowancesDocument> | null)[], links: LedgerLinks): Html | null {
  const all = lists.flatMap((answer) => answer?.document.allowances ?? []);
  if (all.length === 0) return null;
  const hasMore = lists.some((answer) => answer !== null && answer.document.links.next !== null);
  return html`<h2>Allowances granted</h2>
${wideTable(
  'Allowances',
  html`<table class="data">
<thead><tr><th scope="col">Spender</th><th scope="col">Of</th><th scope="col" class="number">Left</th><th scope="col" class="number">Granted</th></tr></thead>
<tbody>
${all.map(({ amount, amount_granted, spender, token_id }) => {
  const print = (value: bigint | undefined) =>
    value === undefined ? 'all NFTs' : token_id === undefined ? hbar(value) : grouped(value);
  return html`<tr><th scope="row">${links.entity(spender)}</th><td>${token_id === undefined ? 'ℏ' : links.entity(token_id)}</td><td class="number">${print(amount)}</td><td class="number">${print(amount_granted)}</td></tr>
`;
})}</tbody>
</table>`,
)}
${hasMore ? html`<p class="muted small">Only the first ${FEW} of each kind.</p>` : null}`;
}
