import { ownFile } from '../../../own-files.ts';
import { type Html, html } from '../../../pages/html.ts';
import { browserScript } from '../../../pages/site/assets.ts';
import type { Clock } from '../../../values/clock.ts';
import { MirrorApiError, messages } from '../../errors.ts';
import { type QueryPair, readQuery } from '../../parameters/query-text.ts';
import { TRANSACTION_TYPES } from '../../vocabulary/transaction-types.ts';
import type { LedgerQuestions } from '../ask/ledger-questions.ts';
import { faultList } from '../parts/faults.ts';
import { apiRequest, nothing, type PageContext, renderLedgerPage } from '../parts/ledger-frame.ts';
import { momentTimestamp } from '../parts/times.ts';
import { typeInWords } from '../words/type-words.ts';
import { type Figures, figuresList } from './figures.ts';
import { transactionTable } from './transaction-rows.ts';

/** What the list of transactions is made of. */
interface ListPageParts {
  readonly questions: LedgerQuestions;
  readonly figures: () => Promise<Figures>;
  readonly clock: Clock;
}

interface RenderedPage {
  readonly page: string;
  readonly statusCode: number;
}

export const LEDGER_SCRIPT = browserScript(
  'ledger.js',
  ownFile('mirror/pages/transactions/ledger.browser.js'),
);

const TITLE = 'Ledger';
const MILLIS = 1000;

/** `/ledger`: the newest transactions, or those that a filter names. @param target path and query as sent */
export async function listPage(
  target: string,
  context: PageContext,
  { clock, figures, questions }: ListPageParts,
): Promise<RenderedPage> {
  const { root } = context.site;
  const known = await figures();
  const head = (form: Html) => html`<h1>${TITLE}</h1>
${figuresList(known, root, BigInt(Math.floor(clock.now() / MILLIS)))}
${form}`;
  const show = (main: Html, statusCode = 200): RenderedPage => ({
    statusCode,
    page: renderLedgerPage(context, { title: TITLE, tab: 'transactions', main, scripts: [LEDGER_SCRIPT] }),
  });
  try {
    const request = readListRequest(target);
    const { document, target: apiTarget } = await questions.transactions(request.apiQuery);
    const { links: api, transactions } = document;
    if (known.newestTime === null && transactions.length === 0 && !request.isFiltered)
      return show(emptyLedger());
    const list =
      transactions.length === 0
        ? nothing('No matching transactions.')
        : transactionTable('Transactions', transactions, await context.linksTo(transactions));
    return show(html`${head(filterForm(`${root}/ledger`, request.fields, request.isFiltered))}
<h2>${request.isNewest && !request.isFiltered ? 'Newest transactions' : 'Transactions'}</h2>
${request.isNewest ? liveBar(root, request) : null}
<div data-rows>${list}</div>
${pages(root, request, api.next)}
${apiRequest(context, [apiTarget])}`);
  } catch (error) {
    if (!(error instanceof MirrorApiError) || error.statusCode !== 400) throw error;
    const form = filterForm(`${root}/ledger`, givenFields(target), true);
    return show(
      html`${head(form)}
${faultList('Invalid filter', error)}`,
      400,
    );
  }
}

/** The part of the page that the script exchanges while it follows the ledger. */
export async function newestRows(
  target: string,
  context: PageContext,
  { figures, questions }: ListPageParts,
): Promise<Html> {
  const request = readListRequest(target);
  const { transactions } = (await questions.transactions(request.apiQuery)).document;
  const links = await context.linksTo(transactions);
  return html`${figuresList(await figures(), context.site.root, null)}
<div data-rows>${transactions.length === 0 ? null : transactionTable('Transactions', transactions, links)}</div>
`;
}

/** Without a script, a link reloads; the script makes its own button of this place. */
function liveBar(root: string, { firstQuery }: ListRequest): Html {
  return html`<p class="live" data-live="${root}/ledger/newest${firstQuery}"><a class="target" href="${root}/ledger${firstQuery}">Reload</a> <span role="status" class="muted small"></span></p>`;
}

function pages(root: string, request: ListRequest, next: string | null): Html {
  const first = request.isNewest
    ? null
    : html`<a href="${root}/ledger${request.firstQuery}">${request.fields.order === 'asc' ? 'First' : 'Newest'} page</a>`;
  const following =
    next === null
      ? html`<span class="muted">End of the list</span>`
      : html`<a rel="next" href="${root}/ledger${request.nextQuery(next)}">Next page</a>`;
  return html`<nav class="pages" aria-label="Pages">${first ?? html`<span></span>`}${following}</nav>`;
}

/** What to do about a ledger without transactions. */
function emptyLedger(): Html {
  return html`<h1>${TITLE}</h1>
<p>The ledger is empty: no data imported yet.</p>
<div class="commands stack">
<h2>Import record files or blocks</h2>
<pre data-copy>ledgerlens import path/to/recordstreams</pre>
<h2>Follow a public network</h2>
<pre data-copy>MIRROR_NETWORK=testnet MIRROR_BUCKET=off MIRROR_BLOCK_BUCKET=off ledgerlens serve</pre>
<h2>Generate a sample ledger</h2>
<pre data-copy>ledgerlens generate sample-ledger --transactions 2000
ledgerlens import sample-ledger</pre>
<p class="muted">Run commands with the DATABASE_URL of the server. Transactions appear here once imported.</p>
</div>`;
}

type Choice = readonly [value: string, text: string];

const DIRECTIONS: readonly Choice[] = [
  ['credit', 'Credit: the account receives'],
  ['debit', 'Debit: the account sends'],
];
const RESULTS: readonly Choice[] = [
  ['success', 'Succeeded'],
  ['fail', 'Failed'],
];
const ORDERS: readonly Choice[] = [
  ['desc', 'Newest first'],
  ['asc', 'Oldest first'],
];
const TYPES: readonly Choice[] = TRANSACTION_TYPES.map(
  ({ name }): Choice => [name, `${typeInWords(name)} (${name})`],
).sort(([, left], [, right]) => (left < right ? -1 : 1));

/** The parameters of `GET /api/v1/transactions` as a form. */
function filterForm(action: string, fields: FilterFields, isOpen: boolean): Html {
  return html`<details class="box"${isOpen ? html` open` : null}>
<summary>Filter</summary>
<form class="filter" action="${action}">
<label>Account <input name="account.id" value="${fields['account.id']}" placeholder="0.0.1001 or 0x…" autocapitalize="off" autocomplete="off" spellcheck="false"></label>
${choices('type', 'Direction', 'Both', DIRECTIONS, fields.type)}
${choices('transactiontype', 'Type', 'All', TYPES, fields.transactiontype)}
${choices('result', 'Result', 'All', RESULTS, fields.result)}
<label>From, UTC <input name="from" value="${fields.from}" placeholder="2024-01-31 or 1706659200.0"></label>
<label>To, UTC <input name="to" value="${fields.to}" placeholder="2024-01-31 12:00"></label>
${choices('order', 'Order', 'Newest first', ORDERS.slice(1), fields.order)}
<label>Rows <input name="limit" value="${fields.limit}" inputmode="numeric" placeholder="25"></label>
<div class="actions"><button>Apply</button> <a href="${action}">Clear</a></div>
</form>
</details>`;
}

function choices(name: string, label: string, none: string, all: readonly Choice[], chosen: string): Html {
  const isSame = (value: string) => value.toLowerCase() === chosen.toLowerCase();
  const isOther = chosen !== '' && !all.some(([value]) => isSame(value));
  return html`<label>${label} <select name="${name}"><option value="">${none}</option>${all.map(
    ([value, text]) =>
      html`<option value="${value}"${isSame(value) ? html` selected` : null}>${text}</option>`,
  )}${isOther ? html`<option value="${chosen}" selected>${chosen}</option>` : null}</select></label>`;
}

/** The fields of the filter as they were filled in; empty for those that were not. */
type FilterFields = Readonly<Record<(typeof FIELDS)[number], string>>;

/** What a list of transactions is asked for, in the words of the page and of the API. */
interface ListRequest {
  readonly fields: FilterFields;
  /** Query of the same request to the API, with the question mark; empty without one. */
  readonly apiQuery: string;
  /** Whether the list begins with the newest transaction of the ledger that fits. */
  readonly isNewest: boolean;
  /** Whether anything narrows the list. */
  readonly isFiltered: boolean;
  /** Query of the page without its place in the list. */
  readonly firstQuery: string;
  /** Query of the page that continues after the end of this one. @param next link of the API */
  nextQuery(next: string): string;
}

/** Places in the list, as the API's links name them. */
const CURSOR = 'cursor';
const FIELDS = ['account.id', 'type', 'result', 'transactiontype', 'from', 'to', 'order', 'limit'] as const;
const MOMENTS = { from: ['gte', 'first'], to: ['lte', 'last'] } as const;

/**
 * Reads the query of a page: the parameters of the API, the times `from` and `to`, and the `cursor` of a link. What the form
 * left empty is no parameter; every other parameter is the API's to judge.
 *
 * @throws MirrorApiError 400 for times that cannot be read.
 */
function readListRequest(target: string): ListRequest {
  // A form without a script sends its empty fields too.
  const given = readQuery(target).filter(({ value }) => value.trim() !== '');
  const place = given.filter(({ name }) => name === CURSOR);
  const kept = given.filter(({ name }) => name !== CURSOR);
  const timestamps = kept.filter(({ name }) => name === 'timestamp');
  const fields = fieldsOf(kept, (value) => value.trim());
  const asked = [...kept.map(apiPair), ...place.map(({ value }) => ({ name: 'timestamp', value }))];
  const order = fields.order.toLowerCase();
  return {
    fields,
    apiQuery: printQuery(asked),
    isNewest:
      place.length === 0 && timestamps.length === 0 && fields.to === '' && (order === '' || order === 'desc'),
    isFiltered: kept.some(({ name }) => name !== 'order' && name !== 'limit'),
    firstQuery: printQuery(kept),
    nextQuery: (next) => {
      const cursor = readQuery(next).findLast(({ name }) => name === 'timestamp')?.value ?? '';
      return printQuery([...kept, { name: CURSOR, value: cursor }]);
    },
  };
}

/** The same query as the form shows it, where its values cannot be read. */
function givenFields(target: string): FilterFields {
  return fieldsOf(readQuery(target), (value) => value);
}

function fieldsOf(given: readonly Pair[], shown: (value: string) => string): FilterFields {
  const last = (field: string) => shown(given.findLast(({ name }) => name === field)?.value ?? '');
  return Object.fromEntries(FIELDS.map((field) => [field, last(field)])) as FilterFields;
}

function apiPair({ isNested, name, value }: QueryPair): Pair {
  if (name !== 'from' && name !== 'to') return { name: isNested ? `${name}[_]` : name, value: value.trim() };
  const [operator, edge] = MOMENTS[name];
  const time = momentTimestamp(value, edge);
  if (time === null) {
    const detail = `${name} must be a date such as 2024-01-31, a time such as 2024-01-31 12:00 (UTC), or a consensus timestamp`;
    throw new MirrorApiError(400, [{ message: messages.invalidParameter(name), detail }]);
  }
  return { name: 'timestamp', value: `${operator}:${time}` };
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Colons may stand in a query, and conditions are easier to read with them. */
function printQuery(pairs: readonly Pair[]): string {
  const parts = pairs.map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%3A', ':')}`,
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
