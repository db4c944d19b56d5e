import { type Html, html } from '../../../pages/html.ts';
import { isJsonObject, type JsonObject } from '../../json-object.ts';
import { visibleText } from '../visible-text.ts';
import { renderBlock } from './sections.ts';

const MAX_TEXT_LENGTH = 65_536;

/** A storage layout as a table; null when the compiler gave none, or nothing is stored. */
export function renderStorage(layout: unknown, title: string): Html | null {
  if (layout === null || layout === undefined) return null;
  const rows = storageRows(layout);
  if (rows === null) {
    return renderBlock(title, visibleText(JSON.stringify(layout, null, 2).slice(0, MAX_TEXT_LENGTH)));
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

/** One variable of a storage layout, or one member of a struct in it. */
interface StorageRow {
  readonly name: string;
  readonly type: string;
  /** Decimal; with a `+` before it when it counts from the place of an element. */
  readonly slot: string;
  /** Bytes from the low end of the slot. */
  readonly offset: string;
  readonly bytes: string;
  /** How deep it lies in structs; 0 for a variable. */
  readonly depth: number;
}

const MAX_ROWS = 1_000;
const MAX_DEPTH = 8;
/** Longer numbers are not slots; converting them takes the square of their length. */
const SLOT = /^\d{1,78}$/;

/**
 * The rows of a storage layout as solc prints it, with structs expanded and the structs in mappings and arrays below
 * them, counted from the place of an element.
 *
 * @returns null when it has another form.
 */
export function storageRows(layout: unknown): readonly StorageRow[] | null {
  if (!isJsonObject(layout) || !Array.isArray(layout['storage'])) return null;
  const types = isJsonObject(layout['types']) ? layout['types'] : {};
  const rows: StorageRow[] = [];
  addRows(rows, layout['storage'], types, { base: 0n, sign: '', depth: 0 });
  return rows;
}

interface Place {
  readonly base: bigint;
  readonly sign: '' | '+';
  readonly depth: number;
}

function addRows(rows: StorageRow[], variables: unknown, types: JsonObject, place: Place): void {
  if (!Array.isArray(variables) || place.depth > MAX_DEPTH) return;
  for (const variable of variables.filter(isJsonObject)) {
    if (rows.length >= MAX_ROWS) return;
    const type = typeOf(types, variable['type']);
    const slot = place.base + slotOf(variable['slot']);
    rows.push({
      name: String(variable['label'] ?? ''),
      type: String(type?.['label'] ?? variable['type'] ?? ''),
      slot: `${place.sign}${slot}`,
      offset: String(variable['offset'] ?? ''),
      bytes: String(type?.['numberOfBytes'] ?? ''),
      depth: place.depth,
    });
    const depth = place.depth + 1;
    if (type?.['members'] !== undefined)
      addRows(rows, type['members'], types, { ...place, base: slot, depth });
    else addRows(rows, elementOf(types, type)?.['members'], types, { base: 0n, sign: '+', depth });
  }
}

/** The struct that a mapping or array holds in the end. */
function elementOf(types: JsonObject, container: JsonObject | undefined): JsonObject | undefined {
  let type = container;
  for (let step = 0; step < MAX_DEPTH && type !== undefined && type['members'] === undefined; step += 1) {
    type = typeOf(types, type['value'] ?? type['base']);
  }
  return type;
}

function typeOf(types: JsonObject, id: unknown): JsonObject | undefined {
  const type = typeof id === 'string' && Object.hasOwn(types, id) ? types[id] : undefined;
  return isJsonObject(type) ? type : undefined;
}

function slotOf(slot: unknown): bigint {
  return typeof slot === 'string' && SLOT.test(slot) ? BigInt(slot) : 0n;
}
