import { type Html, html } from '../../../pages/html.ts';
import { TRANSACTION_TYPES } from '../../vocabulary/transaction-types.ts';
import { typeInWords } from '../words/type-words.ts';
import type { FilterFields } from './list-request.ts';

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
export function filterForm(action: string, fields: FilterFields, isOpen: boolean): Html {
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
