import { isJsonObject } from '../json-object.ts';
import { type AbiField, type AbiType, arrayType, plainType, tupleType } from './abi-type.ts';

/** No function that compilers take has a stack for more. */
const MAX_TYPES = 512;
const DEEPEST = 16;
const MAX_NAME_LENGTH = 256;

/** Counts the types of one item, so that no ABI keeps its reader busy. */
interface Budget {
  left: number;
}

const DIMENSIONED = /^([^[\]]{0,256})((?:\[\d{0,10}\]){0,16})$/;
const DIMENSION = /\[(\d*)\]/g;

/** Reads a list of parameters of a JSON ABI. @returns null when it is none, or beyond any that contracts have. */
export function readParameters(json: unknown): readonly AbiField[] | null {
  return readList(json, DEEPEST, { left: MAX_TYPES });
}

function readList(json: unknown, depth: number, budget: Budget): readonly AbiField[] | null {
  if (!Array.isArray(json) || depth === 0) return null;
  const fields: AbiField[] = [];
  for (const parameter of json as readonly unknown[]) {
    const field = readParameter(parameter, depth, budget);
    if (field === null) return null;
    fields.push(field);
  }
  return fields;
}

function readParameter(json: unknown, depth: number, budget: Budget): AbiField | null {
  if (!isJsonObject(json) || typeof json['type'] !== 'string') return null;
  const [, base, dimensions] = DIMENSIONED.exec(json['type']) ?? [];
  if (base === undefined || dimensions === undefined) return null;
  const components = base === 'tuple' ? readList(json['components'], depth - 1, budget) : [];
  if (components === null) return null;
  const type = withDimensions(base === 'tuple' ? tupleType(components) : plainType(base), dimensions, budget);
  return type === null ? null : { name: nameOf(json['name']), type, indexed: json['indexed'] === true };
}

function nameOf(name: unknown): string | null {
  return typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH ? name : null;
}

function withDimensions(type: AbiType, dimensions: string, budget: Budget): AbiType | null {
  let whole = type;
  budget.left -= 1;
  for (const [, digits = ''] of dimensions.matchAll(DIMENSION)) {
    budget.left -= 1;
    whole = arrayType(whole, digits);
  }
  return budget.left < 0 ? null : whole;
}

/** Reads a canonical signature such as `transfer(address,uint256)`. @returns null when it is none. */
export function readSignature(text: string) {
  const open = text.indexOf('(');
  if (open < 1) return null;
  const reader = new SignatureReader(text, open);
  const inputs = reader.list(DEEPEST);
  return inputs === null || reader.at !== text.length ? null : { name: text.slice(0, open), inputs };
}

const BASE = /[^()[\],]{1,256}/y;
const DIMENSIONS = /(?:\[\d{0,10}\]){0,16}/y;

class SignatureReader {
  readonly #text: string;
  readonly #budget: Budget = { left: MAX_TYPES };
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** Reads what stands in parentheses. */
  list(depth: number): readonly AbiField[] | null {
    if (depth === 0 || !this.#skips('(')) return null;
    const fields: AbiField[] = [];
    if (this.#skips(')')) return fields;
    for (;;) {
      const type = this.#type(depth);
      if (type === null) return null;
      fields.push({ name: null, type, indexed: false });
      if (this.#skips(')')) return fields;
      if (!this.#skips(',')) return null;
    }
  }

  #type(depth: number): AbiType | null {
    let type: AbiType;
    if (this.#text[this.at] === '(') {
      const components = this.list(depth - 1);
      if (components === null) return null;
      type = tupleType(components);
    } else {
      const base = this.#match(BASE);
      if (base === '') return null;
      type = plainType(base);
    }
    return withDimensions(type, this.#match(DIMENSIONS), this.#budget);
  }

  #skips(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
