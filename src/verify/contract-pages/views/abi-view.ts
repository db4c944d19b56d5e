import { type Html, html } from '../../../pages/html.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { readSignatures } from '../../signatures.ts';
import { visibleText } from '../visible-text.ts';

const GROUPS: readonly { readonly kind: AbiEntry['kind']; readonly title: string; readonly hash: string }[] =
  [
    { kind: 'read', title: 'Functions that read', hash: 'Selector' },
    { kind: 'write', title: 'Functions that change state', hash: 'Selector' },
    { kind: 'special', title: 'Constructor, receive and fallback', hash: '' },
    { kind: 'event', title: 'Events', hash: 'Topic' },
    { kind: 'error', title: 'Errors', hash: 'Selector' },
  ];
const MAX_ENTRIES = 1_000;

/** The entries by what they do; null for a contract without any. @param isLibrary as for {@link abiEntries} */
export function renderAbi(abi: unknown, natSpec: NatSpec, isLibrary: boolean): Html | null {
  const shown = abiEntries(abi, natSpec, isLibrary);
  if (shown.length === 0) return null;
  const left = itemsOf(abi).length - shown.length;
  return html`${GROUPS.map(({ kind, title, hash }) => {
    const group = shown.filter((entry) => entry.kind === kind);
    if (group.length === 0) return null;
    return html`<h3>${title} <span class="muted">(${group.length})</span></h3>
<ul class="plain entries">
${group.map((entry) => renderEntry(entry, hash))}</ul>
`;
  })}${left === 0 ? null : html`<p class="muted">${left} more in the ABI from the API.</p>`}`;
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

/** One function, event or error of an ABI, in words of the source. */
type AbiEntry = ReturnType<typeof entryOf>;

/** What the compiler found in comments. */
interface NatSpec {
  readonly userdoc: unknown;
  readonly devdoc: unknown;
}

/**
 * The entries of an ABI in the order of their names, as many as a page shows: to hash thousands of others takes a second.
 *
 * @param isLibrary true for a library of Solidity: its selectors hash the names of structs.
 */
export function abiEntries(abi: unknown, natSpec: NatSpec, isLibrary: boolean): readonly AbiEntry[] {
  return itemsOf(abi)
    .map((item) => ({ item, text: textOf(typeOf(item), item) }))
    .sort((left, right) => (left.text < right.text ? -1 : 1))
    .slice(0, MAX_ENTRIES)
    .map(({ item, text }) => entryOf(item, text, natSpec, isLibrary));
}

function itemsOf(abi: unknown): readonly JsonObject[] {
  return (Array.isArray(abi) ? abi : []).filter(isJsonObject);
}

/** Before 0.4 the compiler left that of functions out. */
function typeOf(item: JsonObject): string {
  return String(item['type'] ?? 'function');
}

function entryOf(item: JsonObject, text: string, natSpec: NatSpec, isLibrary: boolean) {
  const type = typeOf(item);
  const [found] = readSignatures([item], isLibrary);
  const signature = found?.signature ?? null;
  const selector = found === undefined ? null : found.hash.slice(0, 8);
  const topic = item['anonymous'] === true ? null : (found?.hash ?? null);
  const hash = type === 'event' ? topic : selector;
  return {
    kind: kindOf(type, item),
    /** As in the source: `transfer(address to, uint256 amount) returns (bool)`. */
    text,
    /** Canonical: `transfer(address,uint256)`; null for what has none. */
    signature,
    /** Selector of four bytes, or the topic of an event of 32; null for what has none. */
    hash: hash === null ? null : `0x${hash}`,
    /** What its authors say to users, and to developers. */
    notes: notesOn(type, signature, natSpec),
  };
}

function kindOf(type: string, item: JsonObject): 'read' | 'write' | 'event' | 'error' | 'special' {
  if (type === 'event' || type === 'error') return type;
  if (type !== 'function') return 'special';
  const isRead =
    item['stateMutability'] === 'view' || item['stateMutability'] === 'pure' || item['constant'] === true;
  return isRead ? 'read' : 'write';
}

function textOf(type: string, item: JsonObject): string {
  const name = typeof item['name'] === 'string' && item['name'] !== '' ? item['name'] : type;
  const isPayable = item['stateMutability'] === 'payable' || item['payable'] === true;
  const outputs = parametersOf(item['outputs']);
  return [
    `${name}(${parametersOf(item['inputs'])})`,
    isPayable ? ' payable' : '',
    item['anonymous'] === true ? ' anonymous' : '',
    outputs === '' ? '' : ` returns (${outputs})`,
  ].join('');
}

function parametersOf(parameters: unknown): string {
  return (Array.isArray(parameters) ? parameters : [])
    .filter(isJsonObject)
    .map(({ type, internalType, indexed, name }) =>
      [
        // Structs and enums are named by it: `struct Pool.Key`, `contract IERC20`.
        typeof internalType === 'string' ? internalType : String(type),
        ...(indexed === true ? ['indexed'] : []),
        ...(typeof name === 'string' && name !== '' ? [name] : []),
      ].join(' '),
    )
    .join(', ');
}

const SECTIONS: Readonly<Record<string, string>> = { function: 'methods', event: 'events', error: 'errors' };

function notesOn(type: string, signature: string | null, { userdoc, devdoc }: NatSpec): readonly string[] {
  const section = SECTIONS[type] ?? 'methods';
  const key = signature ?? type;
  const said = [docOf(userdoc, section, key), docOf(devdoc, section, key)];
  return said.flat().flatMap((doc) => {
    if (typeof doc === 'string') return [doc];
    if (!isJsonObject(doc)) return [];
    const { notice, details, params, returns } = doc;
    return [
      ...[notice, details].filter((text) => typeof text === 'string'),
      ...described(params, ''),
      ...described(returns, 'returns '),
    ];
  });
}

function docOf(doc: unknown, section: string, key: string): readonly unknown[] {
  const entries = isJsonObject(doc) ? doc[section] : undefined;
  if (!isJsonObject(entries) || !Object.hasOwn(entries, key)) return [];
  const found = entries[key];
  // Errors of one signature may be declared several times.
  return Array.isArray(found) ? found : [found];
}

function described(parameters: unknown, before: string): readonly string[] {
  if (!isJsonObject(parameters)) return [];
  return Object.entries(parameters).map(([name, text]) => `${before}${name}: ${String(text)}`);
}
