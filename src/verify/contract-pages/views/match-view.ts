import { type Html, html } from '../../../pages/html.ts';
import type { Hex } from '../../../values/hex.ts';
import type { CompiledContract, StoredCode } from '../../contracts/contract-repository.ts';
import { constructorValues } from '../model/constructor-values.ts';
import { transformationRows } from '../model/transformation-words.ts';
import { visibleText } from '../visible-text.ts';
import { renderBlock } from './sections.ts';

const MOST_ROWS = 200;
const LONGEST_HEX = 20_000;
const SHORT_HEX = 74;

/** What the constructor was called with; null when that is not known, or nothing. */
export function renderConstructorArguments({ artifacts, creation }: CompiledContract): Html | null {
  const data = creation.values?.constructorArguments;
  if (data === undefined) return null;
  const values = constructorValues(artifacts['abi'], data);
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
${renderBlock('Encoded constructor arguments', shortened(data, LONGEST_HEX))}</details>`;
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
${rows.slice(0, MOST_ROWS).map(
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
${rows.length > MOST_ROWS ? html`<p class="muted">and ${rows.length - MOST_ROWS} more</p>` : null}`;
}

function shortened(hex: Hex | string, most: number): string {
  return hex.length <= most ? hex : `${hex.slice(0, most)}… (${(hex.length - 2) / 2} bytes)`;
}
