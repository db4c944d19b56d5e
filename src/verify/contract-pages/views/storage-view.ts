import { type Html, html } from '../../../pages/html.ts';
import { storageRows } from '../model/storage-rows.ts';
import { visibleText } from '../visible-text.ts';
import { renderBlock } from './sections.ts';

const LONGEST_TEXT = 65_536;

/** A storage layout as a table; null when the compiler gave none, or nothing is stored. */
export function renderStorage(layout: unknown, title: string): Html | null {
  if (layout === null || layout === undefined) return null;
  const rows = storageRows(layout);
  if (rows === null) {
    return renderBlock(title, visibleText(JSON.stringify(layout, null, 2).slice(0, LONGEST_TEXT)));
  }
  if (rows.length === 0) return null;
  return html`<div class="wide-table" tabindex="0" role="region" aria-label="${title}"><table class="data">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col" class="number">Slot</th><th scope="col" class="number">Offset</th><th scope="col" class="number">Bytes</th></tr></thead>
<tbody>
${rows.map(
  ({ name, type, slot, offset, bytes, depth }) =>
    html`<tr><td class="depth-${Math.min(depth, 4)}"><code>${visibleText(name)}</code></td><td><code>${visibleText(type)}</code></td><td class="number">${slot}</td><td class="number">${offset}</td><td class="number">${bytes}</td></tr>
`,
)}</tbody>
</table></div>
${rows.some(({ slot }) => slot.startsWith('+')) ? html`<p class="small muted">A slot with + is relative to the first slot of an element of the mapping or array above it.</p>` : null}`;
}
