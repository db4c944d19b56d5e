import { type Html, html } from '../../../pages/html.ts';
import type {
  ContractActionsDocument,
  ContractLogsDocument,
  ContractResultDocument,
  DecodedArgumentDocument,
  DecodedDocument,
  DecodedValueDocument,
} from '../ask/documents.ts';
import { grouped, hbar } from '../parts/amounts.ts';
import { readable, shortened } from '../parts/bytes-as-text.ts';
import { facts, wideTable } from '../parts/ledger-frame.ts';
import type { LedgerLinks } from '../parts/ledger-links.ts';
import { sourceLinks } from '../parts/source-state.ts';
import { shortTime } from '../parts/times.ts';
import { type Execution, senderId } from './execution.ts';

const SHOWN_VALUE = 500;
const SHOWN_DATA = 10_000;
const SHOWN_WORD = 140;
/** `0x` and four bytes. */
const SELECTOR_LENGTH = 10;
const EMPTY = '0x';

/** What the EVM did in a transaction. @param root what stands before every path in links */
export function executionView(execution: Execution, links: LedgerLinks, root: string): Html {
  const { isCreation, logs, result, sources, trace } = execution;
  const { address, amount, call_result, contract_id, created_contract_ids, decoded } = result;
  const { function_parameters, gas_consumed, gas_limit, gas_used } = result;
  const sourceState = address === null ? null : sourceLinks(sources, address, root);
  return html`<h2>Contract execution</h2>
${facts([
  [
    'Contract',
    html`${links.entity(contract_id)}${address === null ? null : html` <span class="muted code">${address}</span>`}`,
  ],
  ['Verified source', sourceState],
  ['Function', isCreation ? 'constructor' : functionText(result)],
  ['From', senderText(result, links)],
  ['Value', amount === null || amount === 0n ? null : hbar(amount)],
  ['Gas used', gas_used === null ? null : `${grouped(gas_used)} of ${grouped(gas_limit)}`],
  [
    'Gas consumed by the EVM',
    gas_consumed === null || gas_consumed === gas_used ? null : grouped(gas_consumed),
  ],
  ['Outcome', outcome(result)],
  [
    'Created contracts',
    created_contract_ids.length === 0 ? null : created_contract_ids.map((id) => html`${links.entity(id)} `),
  ],
])}
${valueTable('Arguments', decoded?.arguments ?? [])}
${valueTable('Returned values', decoded?.returned ?? [])}
${
  function_parameters === EMPTY && call_result === EMPTY
    ? null
    : html`<details class="box"><summary>Input and output</summary>
${facts([
  ['Input', html`<span class="code">${shortened(function_parameters, SHOWN_DATA)}</span>`],
  ['Output', html`<span class="code">${shortened(call_result, SHOWN_DATA)}</span>`],
])}</details>`
}
${logTable(logs, links)}
${trace === null ? null : traceTable(trace, links)}`;
}

/**
 * The newest calls of a contract, each with a link to its transaction.
 *
 * @param createdAt consensus time of its creation, which is one of them; null when it is not known
 */
export function callTable(
  calls: readonly ContractResultDocument[],
  links: LedgerLinks,
  createdAt: string | null,
): Html {
  return html`<table class="data rows">
<caption class="unseen">Calls</caption>
<thead><tr><th scope="col">Function</th><th scope="col">Consensus time, UTC</th><th scope="col">From</th><th scope="col">Result</th><th scope="col" class="number">Gas used</th></tr></thead>
<tbody>
${calls.map(
  (
    call,
  ) => html`<tr><th scope="row" class="lead">${call.timestamp === createdAt ? 'constructor' : functionText(call)}${argumentsNote(call.decoded ?? null)}</th>
<td>${links.transaction(call.timestamp, shortTime(call.timestamp))}</td>
<td data-label="From">${senderText(call, links)}</td>
<td data-label="Result">${outcome(call)}</td>
<td data-label="Gas used" class="number">${call.gas_used === null ? '–' : grouped(call.gas_used)}</td></tr>
`,
)}</tbody>
</table>`;
}

const SOURCES: Readonly<Record<DecodedDocument['source'], string | null>> = {
  contract: null,
  language: null,
  signature: 'by a signature of other verified contracts',
};

function functionText({ decoded, function_parameters }: ContractResultDocument): Html {
  if (decoded != null) return signatureText(decoded);
  if (function_parameters === EMPTY) return html`<span class="muted">none: no input</span>`;
  return html`<span class="code">${function_parameters.slice(0, SELECTOR_LENGTH)}</span> <span class="muted">not decoded</span>`;
}

function signatureText({ signature, source }: DecodedDocument): Html {
  const note = SOURCES[source];
  return html`<span class="code">${signature}</span>${note === null ? null : html` <span class="muted">${note}</span>`}`;
}

function argumentsNote(decoded: DecodedDocument | null): Html | null {
  if (decoded === null || decoded.arguments.length === 0) return null;
  return html`<span class="note small"><bdi>${shortened(decoded.arguments.map(argumentText).join(', '), SHOWN_WORD)}</bdi></span>`;
}

/** The outcome in a word, with the decoded error or what the EVM gave instead of one. */
function outcome({ decoded_error, error_message }: ContractResultDocument): Html {
  if (error_message === null) return html`<span class="in">Succeeded</span>`;
  const reason =
    decoded_error == null
      ? errorText(error_message)
      : `${decoded_error.signature.replace(/\(.*/s, '')}(${decoded_error.arguments.map(argumentText).join(', ')})`;
  return html`<span class="out">Failed</span>: <bdi class="code">${shortened(reason, SHOWN_VALUE)}</bdi>`;
}

/** Errors that are text are hex of it. */
function errorText(error: string): string {
  return /^0x(?:[\da-f]{2})+$/i.test(error)
    ? readable(Buffer.from(error.slice(2), 'hex').toString('base64')).text
    : error;
}

function senderText(result: ContractResultDocument, links: LedgerLinks): Html {
  const id = senderId(result);
  return id === null ? addressText(result.from) : links.entity(id);
}

function addressText(address: string | null): Html {
  return address === null ? html`–` : html`<span class="code">${address}</span>`;
}

function valueTable(title: string, values: readonly DecodedArgumentDocument[]): Html | null {
  if (values.length === 0) return null;
  return html`<h3>${title}</h3>
${wideTable(
  title,
  html`<table class="data">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Value</th></tr></thead>
<tbody>
${values.map(
  (each) =>
    html`<tr><th scope="row">${each.name ?? html`<span class="muted">–</span>`}</th><td class="code">${each.type}</td><td><bdi class="code">${shortened(argumentValue(each), SHOWN_VALUE)}</bdi></td></tr>
`,
)}</tbody>
</table>`,
)}`;
}

function argumentText(argument: DecodedArgumentDocument): string {
  const value = argumentValue(argument);
  return argument.name === null || argument.name === '' ? value : `${argument.name}: ${value}`;
}

function argumentValue({ hash, value }: DecodedArgumentDocument): string {
  return value === null ? `hash ${hash ?? ''}` : valueText(value);
}

function valueText(value: DecodedValueDocument): string {
  if (typeof value !== 'object') return String(value);
  const parts = value.map((each) =>
    typeof each === 'object' && 'type' in each ? argumentText(each) : valueText(each),
  );
  return `[${parts.join(', ')}]`;
}

function logTable({ links: { next }, logs }: ContractLogsDocument, links: LedgerLinks): Html | null {
  if (logs.length === 0) return null;
  return html`<h2>Logs</h2>
${wideTable(
  'Logs',
  html`<table class="data">
<thead><tr><th scope="col" class="number">Index</th><th scope="col">Contract</th><th scope="col">Event</th></tr></thead>
<tbody>
${logs.map(({ contract_id, data, decoded = null, index, topics }) => {
  const lines =
    decoded === null
      ? [...topics.map((topic, at) => `topic ${at}: ${topic}`), ...(data === EMPTY ? [] : [`data: ${data}`])]
      : decoded.arguments.map(argumentText);
  return html`<tr><td class="number">${index.toString()}</td><td>${links.entity(contract_id)}</td><td>${decoded === null ? html`<span class="muted">not decoded</span>` : signatureText(decoded)}${lines.map((line) => html`<span class="note small"><bdi class="code">${shortened(line, SHOWN_VALUE)}</bdi></span>`)}</td></tr>
`;
})}</tbody>
</table>`,
)}
${next === null ? null : html`<p class="muted small">Only the first ${logs.length}.</p>`}`;
}

function traceTable({ actions, links: { next } }: ContractActionsDocument, links: LedgerLinks): Html {
  const receiver = (id: string | null, address: string | null) =>
    id === null ? addressText(address) : links.entity(id);
  return html`<h2>Trace</h2>
${wideTable(
  'Trace',
  html`<table class="data">
<thead><tr><th scope="col">Step</th><th scope="col">From</th><th scope="col">To</th><th scope="col">Input</th><th scope="col">Result</th><th scope="col" class="number">Gas used</th><th scope="col" class="number">Value</th></tr></thead>
<tbody>
${actions.map(
  (action) =>
    html`<tr><th scope="row">${'\u00a0\u00a0'.repeat(Number(action.call_depth))}${action.call_depth === 0n ? '' : '↳ '}${stepText(action)}</th><td>${links.entity(action.caller)}</td><td>${receiver(action.recipient, action.to)}</td><td>${inputText(action.input)}</td><td>${stepResult(action)}</td><td class="number">${grouped(action.gas_used)}</td><td class="number">${action.value === 0n ? '–' : hbar(action.value)}</td></tr>
`,
)}</tbody>
</table>`,
)}
${next === null ? null : html`<p class="muted small">Only the first ${actions.length} steps.</p>`}`;
}

type Action = ContractActionsDocument['actions'][number];

function stepText({ call_operation_type, call_type }: Action): string {
  const kind = call_type === 'PRECOMPILE' || call_type === 'SYSTEM' ? ` (${call_type.toLowerCase()})` : '';
  return `${call_operation_type}${kind}`;
}

function inputText(input: string): Html {
  const length = (input.length - 2) / 2;
  if (length === 0) return html`–`;
  return html`<span class="code">${input.slice(0, SELECTOR_LENGTH)}</span> <span class="muted small">${grouped(BigInt(length))} bytes</span>`;
}

function stepResult({ result_data, result_data_type }: Action): Html {
  const data =
    result_data === EMPTY
      ? null
      : html` <span class="note small"><bdi class="code">${shortened(errorOrData(result_data, result_data_type), SHOWN_WORD)}</bdi></span>`;
  if (result_data_type === 'OUTPUT') return html`<span class="in">Succeeded</span>${data}`;
  return html`<span class="out">${result_data_type === 'ERROR' ? 'Error' : 'Reverted'}</span>${data}`;
}

function errorOrData(data: string, type: string): string {
  return type === 'OUTPUT' ? data : errorText(data);
}
