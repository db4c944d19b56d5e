import { type Html, html, type Shown } from '../../pages/html.ts';
import { renderSitePage, type Site } from '../../pages/site/site-page.ts';
import { EVM_VERSIONS } from '../compile/evm-versions.ts';
import type { FieldFault, SubmittedForm } from '../model/submitted-form.ts';
import { SUBMIT_SCRIPT, SUBMIT_SHEET } from './submit-assets.ts';

/** What the form offers. */
export interface SubmitPageParts {
  readonly site: Site;
  /** Those that take submissions. */
  readonly chains: readonly {
    readonly chainId: string;
    readonly name: string;
    readonly title: string | null;
  }[];
  /** Versions of compilers for the list below the field, newest first. */
  readonly versions: readonly string[];
}

/** What the form shows again after a refusal. */
interface SubmitPageState extends FormState {
  /** Whether something that was entered was too large to come back. */
  readonly isCut: boolean;
  /** A link that helps after a refusal, such as to the verified contract; null for none. */
  readonly help: Html | null;
}

/** The form before anything was entered. @param values from the address of the page. */
export function emptyState(values: Readonly<Record<string, string>> = {}): SubmitPageState {
  return { values, faults: [], isCut: false, help: null };
}

const KINDS = [
  ['json', 'Standard JSON or build-info', 'The input of the compiler. Best for projects with several files.'],
  ['files', 'Source files', 'One file or a few, with the compiler settings.'],
  ['metadata', 'Metadata and sources', 'The metadata.json of a Solidity contract, with its files.'],
  [
    'similarity',
    'No sources: match a similar contract',
    'Uses the sources of a verified contract with the same code.',
  ],
] as const;

/** `GET /verify-ui`: the form, which needs no script. */
export function renderSubmitPage(parts: SubmitPageParts, state: SubmitPageState): string {
  const { site } = parts;
  return renderSitePage(site, {
    title: state.faults.length === 0 ? 'Verify a contract' : 'Not submitted · Verify a contract',
    section: 'verify',
    sheets: [SUBMIT_SHEET],
    scripts: [SUBMIT_SCRIPT],
    main: html`<h1>Verify a contract</h1>
<p>Proves that the code at an address was compiled from your sources. The sources become public.
<a href="${site.root}/repo-ui">Recent verifications</a> · <a href="${site.root}/verify-ui/compilers">Compilers</a></p>
${faultSummary(state)}
${state.help}
${state.isCut ? html`<p class="card is-degraded">Your input is too large to be shown again. Choose your files again.</p>` : null}
${parts.chains.length === 0 ? noChains() : submitForm(parts, state)}`,
  });
}

function noChains(): Html {
  return html`<div class="card is-no-data"><h2>No chain is configured</h2>
<p>Set the variable <code>VERIFY_CHAINS</code> of this server, for example
<code>{"31337":{"name":"anvil","rpc":["http://127.0.0.1:8545"]}}</code>.</p></div>`;
}

function submitForm({ site, chains, versions }: SubmitPageParts, state: SubmitPageState): Html {
  const kind = state.values['kind'] ?? 'json';
  const chainOptions = chains.map(
    ({ chainId, name, title }) => [chainId, `${title ?? name} (${chainId})`] as const,
  );
  return html`<form method="post" action="${site.root}/verify-ui" enctype="multipart/form-data" id="submit" novalidate>
<fieldset><legend>Contract</legend>
<div class="pair">
${selectField(state, { name: 'chainId', label: 'Chain' }, chains.length === 1 ? chainOptions : [['', 'Choose…'], ...chainOptions])}
${textField(state, { name: 'address', label: 'Address' }, html` required placeholder="0x…" spellcheck="false" autocomplete="off" class="code"`)}
</div>
</fieldset>
<fieldset class="kinds"><legend>Sources</legend>
<div class="choices">
${KINDS.map(
  ([value, label, hint]) =>
    html`<label class="choice"><input type="radio" name="kind" value="${value}"${value === kind ? html` checked` : null}> <span>${label}<br><span class="small muted">${hint}</span></span></label>`,
)}
</div>
<div class="of-kind of-json" data-drop="standardJsonFile">
${fileField(state, { name: 'standardJsonFile', label: 'File', hint: 'Standard JSON input, or a build-info file of Hardhat 2, Hardhat 3 or Foundry.' }, '.json,application/json')}
${areaField(state, { name: 'standardJson', label: 'Or paste it' }, 8)}
</div>
<div class="of-kind of-files" data-drop="sources">
${selectField(state, { name: 'language', label: 'Language' }, [
  ['Solidity', 'Solidity'],
  ['Vyper', 'Vyper'],
  ['Fe', 'Fe'],
  ['Yul', 'Yul'],
])}
${fileField(state, { name: 'sources', label: 'Files', hint: 'Choose all at once. Imports are found by these names.' }, '.sol,.vy,.vyi,.fe,.yul', true)}
${pastedSources(state)}
<div class="pair">
${textField(state, { name: 'evmVersion', label: 'EVM version', hint: 'Default: that of the compiler.' }, html` list="evm-versions" spellcheck="false" autocomplete="off"`)}
${textField(state, { name: 'runs', label: 'Optimizer runs', hint: 'Default: 200.' }, html` inputmode="numeric" placeholder="200"`)}
</div>
<div class="checks">${checkField(state, { name: 'optimizer', label: 'Optimizer enabled' })}
${checkField(state, { name: 'viaIR', label: 'Compiled through the IR (viaIR)' })}</div>
${areaField(state, { name: 'libraries', label: 'Libraries', hint: html`One on each line: <code>path/File.sol:Library=0x…</code>. Leave empty if there are none.` }, 2)}
<datalist id="evm-versions">${EVM_VERSIONS.map((name) => html`<option value="${name}"></option>`)}</datalist>
</div>
<div class="of-kind of-metadata" data-drop="metadataFile">
${fileField(state, { name: 'metadataFile', label: 'Metadata', hint: 'The file metadata.json as the compiler wrote it.' }, '.json,application/json')}
${areaField(state, { name: 'metadata', label: 'Or paste it' }, 4)}
${fileField(state, { name: 'metadataSources', label: 'Sources', hint: 'Identified by hash: names and folders do not matter.' }, '.sol,.yul', true)}
</div>
</fieldset>
<fieldset class="of-kind of-json of-files"><legend>Compiler</legend>
<div class="pair">
${textField(state, { name: 'compilerVersion', label: 'Compiler version', hint: 'Leave empty for a build-info file, which contains it.' }, html` list="compiler-versions" placeholder="0.8.30+commit.73712a01" spellcheck="false" autocomplete="off" class="code"`)}
${textField(state, { name: 'contract', label: 'Contract', hint: 'path:Name, or only the name. Leave empty to choose from a list.' }, html` placeholder="contracts/Token.sol:Token" spellcheck="false" autocomplete="off" class="code"`)}
</div>
<datalist id="compiler-versions">${versions.map((version) => html`<option value="${version}"></option>`)}</datalist>
</fieldset>
<details${state.values['creationTransactionHash'] ? html` open` : null}><summary>More</summary>
${textField(state, { name: 'creationTransactionHash', label: 'Creation transaction', hint: 'Hash of the transaction that created the contract. Usually found automatically.' }, html` placeholder="0x…" spellcheck="false" autocomplete="off" class="code"`)}
</details>
<p class="line"><button type="submit">Verify</button> <span id="progress" class="small muted" role="status"></span></p>
</form>`;
}

/** Those that were pasted, and one that is empty. */
function pastedSources(state: SubmitPageState): Html {
  const used = Object.keys(state.values)
    .map((name) => Number(/^source(\d+)$/.exec(name)?.[1] ?? -1))
    .filter((index) => (state.values[`source${index}`] ?? '').trim() !== '');
  const slots = [...used, Math.max(-1, ...used) + 1];
  return html`${slots.map(
    (index) => html`<details class="pasted" data-slot="${index}"${used.includes(index) ? html` open` : null}>
<summary>${used.includes(index) ? (state.values[`sourceName${index}`] ?? 'Pasted source') : 'Paste a source'}</summary>
${textField(state, { name: `sourceName${index}`, label: 'File name' }, html` placeholder="Token.sol" spellcheck="false" autocomplete="off" class="code"`)}
${areaField(state, { name: `source${index}`, label: 'Source' }, 10)}
</details>`,
  )}`;
}

/** What has to come back with the choice of a contract. */
interface ContractChoice {
  readonly values: Readonly<Record<string, string>>;
  readonly contracts: readonly string[];
  readonly standardJson: string;
  readonly compilerVersion: string;
}

/** The second step, where the input defines several contracts. It carries the input along. */
export function renderChoicePage({ site }: SubmitPageParts, choice: ContractChoice): string {
  const carried = {
    kind: 'json',
    chainId: choice.values['chainId'] ?? '',
    address: choice.values['address'] ?? '',
    creationTransactionHash: choice.values['creationTransactionHash'] ?? '',
    compilerVersion: choice.compilerVersion,
    standardJson: choice.standardJson,
  };
  return renderSitePage(site, {
    title: 'Choose the contract',
    section: 'verify',
    sheets: [SUBMIT_SHEET],
    main: html`<h1>Contract</h1>
<p>The input defines ${choice.contracts.length} contracts. Choose the one at <span class="code">${carried.address.trim()}</span>
on chain ${carried.chainId}; compiled with <span class="code">${choice.compilerVersion}</span>.</p>
<form method="post" action="${site.root}/verify-ui" enctype="multipart/form-data">
${Object.entries(carried).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}
<fieldset><legend>Contract</legend>
<div class="contracts">
${choice.contracts.map(
  (contract, index) =>
    html`<label class="choice"><input type="radio" name="contract" value="${contract}"${index === 0 ? html` checked` : null}> ${printContract(contract)}</label>
`,
)}
</div></fieldset>
<p><button type="submit">Verify</button></p>
</form>`,
  });
}

function printContract(contract: string): Html {
  const colon = contract.lastIndexOf(':');
  return html`<span><strong>${contract.slice(colon + 1)}</strong><br><span class="small muted code"><bdi>${contract.slice(0, colon)}</bdi></span></span>`;
}

/** What a form shows again. */
interface FormState {
  readonly values: SubmittedForm['values'];
  readonly faults: readonly FieldFault[];
}

/** What stands around the control of a field. */
interface FieldText {
  readonly name: string;
  readonly label: string;
  /** One sentence below the label; null for none. */
  readonly hint?: Shown;
}

/** A label with its control, hint and fault, tied together for screen readers. */
function field(
  { faults }: FormState,
  { name, label, hint = null }: FieldText,
  control: (attributes: Html) => Html,
): Html {
  const own = faults.filter((fault) => fault.field === name);
  const describedBy = [
    ...(hint === null ? [] : [`${name}-hint`]),
    ...(own.length === 0 ? [] : [`${name}-fault`]),
  ].join(' ');
  const attributes = html`id="${name}" name="${name}"${
    describedBy === '' ? null : html` aria-describedby="${describedBy}"`
  }${own.length === 0 ? null : html` aria-invalid="true"`}`;
  return html`<div class="field${own.length === 0 ? '' : ' faulty'}">
<label for="${name}">${label}</label>
${hint === null ? null : html`<p class="hint small muted" id="${name}-hint">${hint}</p>`}
${own.length === 0 ? null : html`<p class="fault" id="${name}-fault">${own.map(({ text }) => text).join(' ')}</p>`}
${control(attributes)}
</div>`;
}

/** A field of one line. @param more further attributes. */
function textField(state: FormState, text: FieldText, more: Html | null = null): Html {
  return field(
    state,
    text,
    (attributes) => html`<input ${attributes} value="${state.values[text.name] ?? ''}"${more}>`,
  );
}

/** A field of many lines. A line feed after the start tag would be lost if it were not there twice. */
function areaField(state: FormState, text: FieldText, rows: number): Html {
  return field(
    state,
    text,
    (attributes) =>
      html`<textarea ${attributes} rows="${rows}" spellcheck="false" autocomplete="off">
${state.values[text.name] ?? ''}</textarea>`,
  );
}

/** A field for files. @param accept endings, such as `.json`. */
function fileField(state: FormState, text: FieldText, accept: string, isMultiple = false): Html {
  return field(
    state,
    text,
    (attributes) =>
      html`<input type="file" ${attributes} accept="${accept}"${isMultiple ? html` multiple` : null}>`,
  );
}

/** A list to choose from; the values and what is shown for each. */
function selectField(
  state: FormState,
  text: FieldText,
  options: readonly (readonly [value: string, shown: string])[],
): Html {
  const chosen = state.values[text.name] ?? options[0]?.[0];
  return field(
    state,
    text,
    (attributes) =>
      html`<select ${attributes}>
${options.map(([value, shown]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${shown}</option>`)}
</select>`,
  );
}

/** A box to tick. */
function checkField({ values }: FormState, { name, label }: FieldText): Html {
  return html`<label class="check" for="${name}"><input type="checkbox" id="${name}" name="${name}"${
    values[name] === undefined ? null : html` checked`
  }> ${label}</label>`;
}

/** What is wrong with a form, with links to its fields; null when nothing is. */
function faultSummary({ faults }: FormState): Html | null {
  if (faults.length === 0) return null;
  return html`<div class="card is-major faults" role="alert" tabindex="-1" id="faults">
<h2>Not submitted yet</h2>
<ul>
${faults.map(({ field: name, text }) => html`<li>${name === null ? text : html`<a href="#${name}">${text}</a>`}</li>`)}
</ul>
</div>`;
}
