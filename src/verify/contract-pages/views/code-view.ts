import { type Html, html } from '../../../pages/html.ts';
import { toHex } from '../../../values/hex.ts';
import type { CompiledContract } from '../../contracts/contract-repository.sql.ts';
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
    if (isSame) return renderCode(`On-chain and recompiled ${name} (identical)`, onchain);
    return html`${onchain === null ? html`<p class="muted">The on-chain ${name} is unknown.</p>` : renderCode(`On chain: ${name}`, onchain)}${renderCode(`Recompiled: ${name}`, recompiled)}`;
  })}`;
}

function renderCode(title: string, code: Uint8Array): Html {
  const shown = toHex(code.subarray(0, MOST_BYTES));
  return html`<details><summary>${title} <span class="muted">(${code.length} bytes)</span></summary>
${renderBlock(title, shown)}
${code.length <= MOST_BYTES ? null : html`<p class="muted">First ${MOST_BYTES} bytes; the API returns all of them.</p>`}</details>
`;
}
