import { type Html, html } from '../../../pages/html.ts';
import { type Hex, toHex } from '../../../values/hex.ts';
import type { CompiledContract, StoredCode } from '../../contracts/contract-repository.sql.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import * as AbiParameters from '../../match/abi-parameters.ts';
import type { Transformation, TransformationReason } from '../../match/transformations.ts';
import { visibleText } from '../visible-text.ts';
import { renderBlock } from './sections.ts';

const MAX_ROWS = 200;
const MAX_HEX_LENGTH = 20_000;
const SHORT_HEX = 74;

/** What the constructor was called with; null when that is not known, or nothing. */
export function renderConstructorArguments({ artifacts, creation }: CompiledContract): Html | null {
  const data = creation.values?.constructorArguments;
  if (data === undefined) return null;
  const values = constructorValues(artifacts.value('abi'), data);
  return html`${
    values === null
      ? html`<p class="muted">They cannot be decoded with the ABI of the contract.</p>`
      : html`<dl class="facts">
${values.map(
  ({ name, type, text }) =>
    html`<dt><code>${visibleText(name || '(no name)')}</code> <span class="small">${visibleText(type)}</span></dt><dd><code>${visibleText(text)}</code></dd>
`,
)}</dl>`
  }
<details><summary>As encoded</summary>
${renderBlock('Encoded constructor arguments', shortened(data, MAX_HEX_LENGTH))}</details>`;
}

/** What the compiler could not know, so that both codes differ there. */
export function renderTransformations({ creation, runtime }: CompiledContract): Html {
  const sides = [
    { title: 'Creation code', code: creation },
    { title: 'Runtime code', code: runtime },
  ].filter(({ code }) => code.transformations !== null);
  return html`<p>Compared byte by byte. Values set by the deployment were inserted into the compiled code first; everything else is identical.</p>
${sides.map(
  ({ title, code }) => html`<h3>${title}</h3>
${renderSide(code)}`,
)}`;
}

function renderSide({ transformations, values }: StoredCode): Html {
  const rows = transformationRows(transformations ?? [], { ...values });
  if (rows.length === 0)
    return html`<p class="muted">Identical as compiled; no values inserted.</p>
`;
  return html`<ul class="plain entries">
${rows.slice(0, MAX_ROWS).map(
  ({
    what,
    offset,
    value,
  }) => html`<li>${visibleText(what)} <span class="small muted">at byte ${offset}</span>${
    value === null
      ? null
      : html`
<p class="small"><code>${shortened(value, SHORT_HEX)}</code></p>`
  }</li>
`,
)}</ul>
${rows.length > MAX_ROWS ? html`<p class="muted">and ${rows.length - MAX_ROWS} more</p>` : null}`;
}

function shortened(hex: Hex | string, most: number): string {
  return hex.length <= most ? hex : `${hex.slice(0, most)}… (${(hex.length - 2) / 2} bytes)`;
}

const WORDS: Readonly<Record<TransformationReason, (id: string) => string>> = {
  constructorArguments: () => 'Arguments of the constructor, after the code',
  library: (id) => `Address of the library ${id}`,
  immutable: (id) =>
    `Value of an immutable variable, which the constructor set${id === '0' ? '' : ` (id ${id})`}`,
  cborAuxdata: (id) =>
    `Metadata at the end of a code${id === '' ? '' : ` (number ${id})`}, which hold the hash of the sources`,
  callProtection: () => 'Own address of a library, which refuses to be called directly',
};

/** The transformations of one code in words, with the values that they put in. */
export function transformationRows(
  transformations: readonly Transformation[],
  values: Readonly<Record<string, unknown>>,
) {
  return transformations.map(({ type, reason, offset, id = '' }) => ({
    what: `${WORDS[reason](id)}${type === 'delete' ? '; the code on chain has none' : ''}`,
    offset,
    value: type === 'delete' ? null : putIn(values, reason, id),
  }));
}

const MEMBERS: Readonly<Record<TransformationReason, string>> = {
  constructorArguments: 'constructorArguments',
  callProtection: 'callProtection',
  library: 'libraries',
  immutable: 'immutables',
  cborAuxdata: 'cborAuxdata',
};

function putIn(
  values: Readonly<Record<string, unknown>>,
  reason: TransformationReason,
  id: string,
): string | null {
  const value = values[MEMBERS[reason]];
  if (typeof value === 'string') return value;
  const member = (value as Readonly<Record<string, unknown>> | undefined)?.[id];
  return typeof member === 'string' ? member : null;
}

const MAX_TEXT_LENGTH = 2_000;
/** Of arguments; no network takes more in one transaction. */
const MAX_DECODED_DIGITS = 262_144;

/** The arguments of a constructor, by the ABI; null when the bytes are no such arguments. */
export function constructorValues(abi: unknown, data: Hex) {
  const item = (Array.isArray(abi) ? abi : [])
    .filter(isJsonObject)
    .find(({ type }) => type === 'constructor');
  const inputs = Array.isArray(item?.['inputs']) ? item['inputs'].filter(isJsonObject) : [];
  if (inputs.length === 0 || data.length > MAX_DECODED_DIGITS) return null;
  try {
    const values = AbiParameters.decode(inputs as unknown as readonly AbiParameters.Parameter[], data, {
      as: 'Array',
      checksumAddress: true,
    }) as readonly unknown[];
    return inputs.map((input, index) => ({
      name: String(input['name'] ?? ''),
      type: typeText(input),
      text: cut(valueText(values[index])),
    }));
  } catch {
    // The codec throws many error classes; each of them says that the bytes are something else.
    return null;
  }
}

function typeText({ type, internalType }: JsonObject): string {
  return typeof internalType === 'string' && internalType !== type
    ? `${internalType} (${String(type)})`
    : String(type);
}

/** Whole numbers of every length as they are, texts within lists in quotes. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(memberText).join(', ')}]`;
  if (isJsonObject(value)) {
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${name}: ${memberText(member)}`)
      .join(', ')} }`;
  }
  return String(value);
}

function memberText(value: unknown): string {
  const isText = typeof value === 'string' && !value.startsWith('0x');
  return isText ? JSON.stringify(value) : valueText(value);
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

/** Of one code; longer ones are in the API whole. Bytes, as many as Ethereum allows for runtime code. */
const MAX_BYTES = 24_576;

/** All codes, folded. */
export function renderCodes({ creation, runtime }: CompiledContract): Html {
  const sides = [
    { name: 'runtime code', code: runtime },
    { name: 'creation code', code: creation },
  ];
  return html`${sides.map(({ name, code }) => {
    const { onchain, recompiled } = code;
    const isSame = onchain !== null && Buffer.compare(onchain, recompiled) === 0;
    if (isSame) return renderCode(`On-chain and recompiled ${name} (identical)`, onchain);
    return html`${onchain === null ? html`<p class="muted">The on-chain ${name} is unknown.</p>` : renderCode(`On chain: ${name}`, onchain)}${renderCode(`Recompiled: ${name}`, recompiled)}`;
  })}`;
}

function renderCode(title: string, code: Uint8Array): Html {
  const shown = toHex(code.subarray(0, MAX_BYTES));
  return html`<details><summary>${title} <span class="muted">(${code.length} bytes)</span></summary>
${renderBlock(title, shown)}
${code.length <= MAX_BYTES ? null : html`<p class="muted">First ${MAX_BYTES} bytes; the API returns all of them.</p>`}</details>
`;
}
