import type { Turns } from '../../threads/turns.ts';
import { bareHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { isJsonObject, type JsonObject } from '../json-object.ts';
import type { SignatureType } from '../signatures.ts';
import type { AbiField, AbiType } from './abi-type.ts';
import { readParameters } from './read-parameters.ts';

/** A function, an event or an error of an ABI. */
export interface AbiItem {
  readonly kind: SignatureType;
  readonly name: string;
  readonly signature: string;
  readonly inputs: readonly AbiField[];
  /** Null when only the signature is known. */
  readonly outputs: readonly AbiField[] | null;
}

const MAX_NAME_LENGTH = 256;
const MAX_SIGNATURE_LENGTH = 2048;
const SELECTOR_DIGITS = 8;
const UNITS_OF_AN_ITEM = 20;

/** The items of an ABI by selector or topic. */
export class AbiIndex {
  readonly #items = new Map<string, AbiItem[]>();
  readonly #anonymous: AbiItem[] = [];

  /** Events that have no topic of their own. */
  get anonymous(): readonly AbiItem[] {
    return this.#anonymous;
  }

  /** @param hash hex digits: 64 for events, 8 for the others. */
  find(kind: SignatureType, hash: string): readonly AbiItem[] {
    return this.#items.get(`${kind} ${hash}`) ?? [];
  }

  add(item: AbiItem, isAnonymous: boolean): void {
    if (isAnonymous) {
      this.#anonymous.push(item);
      return;
    }
    const hash = bareHex(keccak256(Buffer.from(item.signature, 'utf8')));
    const key = `${item.kind} ${item.kind === 'event' ? hash : hash.slice(0, SELECTOR_DIGITS)}`;
    const known = this.#items.get(key);
    if (known === undefined) this.#items.set(key, [item]);
    else known.push(item);
  }
}

/** Reads an ABI; what is no item with a name is left out: constructors, fallbacks, what nobody can read. */
export async function indexAbi(abi: readonly unknown[], turns: Turns): Promise<AbiIndex> {
  const index = new AbiIndex();
  for (const json of abi) {
    await turns.spend(UNITS_OF_AN_ITEM);
    const item = isJsonObject(json) ? readItem(json) : null;
    if (item !== null) index.add(item, item.kind === 'event' && (json as JsonObject)['anonymous'] === true);
  }
  return index;
}

function readItem(json: JsonObject): AbiItem | null {
  // Before 0.4 the compiler left the type of functions out.
  const kind = json['type'] ?? 'function';
  const name = json['name'];
  if (kind !== 'function' && kind !== 'event' && kind !== 'error') return null;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH) return null;
  const inputs = readParameters(json['inputs'] ?? []);
  if (inputs === null) return null;
  const signature = `${name}(${inputs.map(({ type }) => type.text).join(',')})`;
  if (signature.length > MAX_SIGNATURE_LENGTH) return null;
  const outputs = kind === 'function' ? readParameters(json['outputs'] ?? []) : null;
  return { kind, name, signature, inputs, outputs };
}

/** One item for each layout; names and return values on which equal ones do not agree are left out. */
export function distinctLayouts(items: readonly AbiItem[]): readonly AbiItem[] {
  const layouts = new Map<string, AbiItem>();
  for (const item of items) {
    const key = `${item.signature} ${item.inputs.map(({ indexed }) => (indexed ? 1 : 0)).join('')}`;
    const known = layouts.get(key);
    const agrees = known === undefined || JSON.stringify(known) === JSON.stringify(item);
    layouts.set(key, agrees ? item : withoutNames(item));
  }
  return [...layouts.values()];
}

/** What is left of an item that another contract has. */
export function withoutNames(item: AbiItem): AbiItem {
  return { ...item, inputs: item.inputs.map(nameless), outputs: null };
}

function nameless(field: AbiField): AbiField {
  return { ...field, name: null, type: namelessType(field.type) };
}

function namelessType(type: AbiType): AbiType {
  if (type.kind === 'tuple') return { ...type, components: type.components.map(nameless) };
  if (type.kind === 'array') return { ...type, element: namelessType(type.element) };
  return type;
}
