import { type Html, html } from '../../../pages/html.ts';
import { toHex } from '../../../values/hex.ts';
import type { CompiledContract } from '../../contracts/contract-repository.ts';
import { renderBlock } from './sections.ts';

/** Of one code; longer ones are in the API whole. Bytes, as many as Ethereum allows for runtime code. */
const MOST_BYTES = 24_576;

/** All codes, folded. */
export function renderCodes({ creation, runtime }: CompiledContract): Html {
  const sides = [
    { name: 'runtime code', code: runtime },
    { name: 'creation code', code: creation },
  ];
  return html`${sides.map(({ name, code }) => {
    const { onchain, recompiled } = code;
    const isSame = onchain !== null && Buffer.compare(onchain, recompiled) === 0;
    if (isSame) return renderCode(`On chain and recompiled ${name}, which are equal`, onchain);
    return html`${onchain === null ? html`<p class="muted">The ${name} on chain is not known.</p>` : renderCode(`On chain: ${name}`, onchain)}${renderCode(`Recompiled: ${name}`, recompiled)}`;
  })}`;
}

function renderCode(title: string, code: Uint8Array): Html {
  const shown = toHex(code.subarray(0, MOST_BYTES));
  return html`<details><summary>${title} <span class="muted">(${code.length} bytes)</span></summary>
${renderBlock(title, shown)}
${code.length <= MOST_BYTES ? null : html`<p class="muted">The first ${MOST_BYTES} bytes; the API gives all of them.</p>`}</details>
`;
}
