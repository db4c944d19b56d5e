import { type Html, html } from '../../../pages/html.ts';
import type { AbiEntry } from '../model/abi-entries.ts';
import { visibleText } from '../visible-text.ts';

const GROUPS: readonly { readonly kind: AbiEntry['kind']; readonly title: string; readonly hash: string }[] =
  [
    { kind: 'read', title: 'Functions that read', hash: 'Selector' },
    { kind: 'write', title: 'Functions that change state', hash: 'Selector' },
    { kind: 'special', title: 'Constructor, receive and fallback', hash: '' },
    { kind: 'event', title: 'Events', hash: 'Topic' },
    { kind: 'error', title: 'Errors', hash: 'Selector' },
  ];
const MOST_ENTRIES = 1_000;

/** The entries by what they do; null for a contract without any. */
export function renderAbi(entries: readonly AbiEntry[]): Html | null {
  if (entries.length === 0) return null;
  const shown = entries.slice(0, MOST_ENTRIES);
  return html`${GROUPS.map(({ kind, title, hash }) => {
    const group = shown.filter((entry) => entry.kind === kind);
    if (group.length === 0) return null;
    return html`<h3>${title} <span class="muted">(${group.length})</span></h3>
<ul class="plain entries">
${group.map((entry) => renderEntry(entry, hash))}</ul>
`;
  })}${shown.length === entries.length ? null : html`<p class="muted">${entries.length - shown.length} more in the ABI from the API.</p>`}`;
}

function renderEntry({ text, signature, hash, notes }: AbiEntry, hashName: string): Html {
  return html`<li><code>${visibleText(text)}</code>
${
  hash === null
    ? null
    : html`<p class="small muted">${hashName} <code>${hash}</code>${signature === null ? null : html` of <code>${visibleText(signature)}</code>`}</p>
`
}${notes.map(
  (note) => html`<p class="note">${visibleText(note)}</p>
`,
)}</li>
`;
}
