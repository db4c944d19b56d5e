import type { Turns } from '../../threads/turns.ts';
import type {
  Decoded,
  DecodedArgument,
  DecodedField,
  DecodedValue,
  DecodeRequest,
  LogToDecode,
} from '../../values/decode-calls.ts';
import { toHex } from '../../values/hex.ts';
import { type AbiItem, distinctLayouts } from './abi-index.ts';
import { type AbiField, type AbiType, areKnown, sumOfHeads, WORD_BYTES, type WordForm } from './abi-type.ts';
import { readSignature } from './read-parameters.ts';

export const SELECTOR_BYTES = 4;
/** What is longer is not decoded: some milliseconds of work. */
const MAX_DATA_LENGTH = 65_536;
/** Selectors that more signatures have were made to have them. */
export const MAX_CANDIDATES = 32;
const BYTES_OF_A_UNIT = 16;
const UNITS_OF_A_TRY = 10;

/** An item that a signature alone tells, which names no parameters. */
export function itemOfSignature(kind: AbiItem['kind'], signature: string): AbiItem | null {
  const read = readSignature(signature);
  return read === null ? null : { kind, signature, ...read, outputs: null };
}

/** Errors that every contract may give back. */
const LANGUAGE_ERRORS = new Map(
  [
    ['08c379a0', 'Error(string)'],
    ['4e487b71', 'Panic(uint256)'],
  ].map(([selector = '', signature = '']) => [selector, itemOfSignature('error', signature)] as const),
);

/** The item of the language that a revert with this selector is. */
export function languageError(selector: string): AbiItem | null {
  return LANGUAGE_ERRORS.get(selector) ?? null;
}

/**
 * Decodes with the one item that explains all bytes.
 *
 * @returns null when none does, or more than one.
 */
export async function explain(
  request: DecodeRequest,
  items: readonly AbiItem[],
  source: Decoded['source'],
  turns: Turns,
  isAnonymous = false,
): Promise<Decoded | null> {
  const candidates = distinctLayouts(items.slice(0, MAX_CANDIDATES + 1));
  if (items.length > MAX_CANDIDATES || request.data.length > MAX_DATA_LENGTH) return null;
  let only: Decoded | null = null;
  for (const item of candidates) {
    await turns.spend(UNITS_OF_A_TRY + request.data.length / BYTES_OF_A_UNIT);
    const decoded = decodeAs(item, request, isAnonymous);
    if (decoded === null) continue;
    if (only !== null) return null;
    const { name, signature } = item;
    only = { name, signature, arguments: decoded, source };
    const returned = source === 'contract' ? returnedBy(item, request) : null;
    if (returned !== null) only = { ...only, returned };
  }
  return only;
}

function decodeAs(
  item: AbiItem,
  request: DecodeRequest,
  isAnonymous: boolean,
): readonly DecodedArgument[] | null {
  return request.kind === 'log'
    ? decodeLog(item, request, isAnonymous)
    : decodeValues(item.inputs, request.data.subarray(SELECTOR_BYTES));
}

function returnedBy({ outputs }: AbiItem, request: DecodeRequest): readonly DecodedField[] | null {
  if (request.kind !== 'call' || request.returned === undefined || outputs === null) return null;
  return request.returned.length > MAX_DATA_LENGTH ? null : decodeValues(outputs, request.returned);
}

function decodeLog(
  { inputs }: AbiItem,
  { topics, data }: LogToDecode,
  isAnonymous: boolean,
): readonly DecodedArgument[] | null {
  const words = (isAnonymous ? topics : topics.slice(1)).values();
  const indexed = inputs.filter((field) => field.indexed);
  if (indexed.length !== topics.length - (isAnonymous ? 0 : 1) || !areKnown(inputs)) return null;
  const inData = decodeValues(
    inputs.filter((field) => !field.indexed),
    data,
  )?.values();
  if (inData === undefined) return null;
  const all: DecodedArgument[] = [];
  for (const field of inputs) {
    const argument = field.indexed ? ofTopic(field, words.next().value) : inData.next().value;
    if (argument === null || argument === undefined) return null;
    all.push({ ...argument, indexed: field.indexed });
  }
  return all;
}

function ofTopic({ name, type }: AbiItem['inputs'][number], topic: Uint8Array | undefined) {
  if (topic?.length !== WORD_BYTES) return null;
  if (type.kind !== 'word') return { name, type: type.text, value: null, hash: toHex(topic) };
  const value = readWord(type.word, topic);
  return value === null ? null : { name, type: type.text, value };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes bytes that are exactly the canonical encoding of values of these types.
 *
 * Canonical contents follow one another in the order of their heads, so the offsets are known beforehand: each byte is
 * read once, whatever they say, and data that would be encoded in other bytes are refused.
 *
 * @returns null for all other bytes, and for texts that are no UTF-8.
 * @see docs/adr/0018-contract-activity.md
 */
export function decodeValues(fields: readonly AbiField[], data: Uint8Array): readonly DecodedField[] | null {
  if (!areKnown(fields)) return null;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const reader = new CanonicalReader(bytes);
  const values = reader.fields(fields, 0);
  return values !== null && reader.end === bytes.length ? values : null;
}

class CanonicalReader {
  readonly #data: Buffer;
  /** Where the last sequence or dynamic content ended. */
  end = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  fields(fields: readonly AbiField[], base: number): readonly DecodedField[] | null {
    const values = this.#sequence(
      fields.map(({ type }) => type),
      base,
      sumOfHeads(fields),
    );
    return (
      values?.map((value, index) => ({
        name: fields[index]?.name ?? null,
        type: fields[index]?.type.text ?? '',
        value,
      })) ?? null
    );
  }

  #sequence(types: Iterable<AbiType>, base: number, headBytes: number): DecodedValue[] | null {
    let head = base;
    let tail = base + headBytes;
    if (!(tail <= this.#data.length)) return null;
    const values: DecodedValue[] = [];
    for (const type of types) {
      if (type.isDynamic && this.#count(head) !== tail - base) return null;
      const value = this.#value(type, type.isDynamic ? tail : head);
      if (value === null) return null;
      values.push(value);
      head += type.headBytes;
      if (type.isDynamic) tail = this.end;
    }
    this.end = tail;
    return values;
  }

  #value(type: AbiType, at: number): DecodedValue | null {
    switch (type.kind) {
      case 'word':
        return readWord(type.word, this.#data.subarray(at, at + WORD_BYTES));
      case 'tuple':
        return this.fields(type.components, at);
      case 'array':
        return this.#array(type.element, type.length, at);
      case 'bytes':
      case 'string':
        return this.#content(type.kind, at);
      case 'unknown':
        return null;
    }
  }

  #array(element: AbiType, fixedLength: number | null, at: number): DecodedValue[] | null {
    const length = fixedLength ?? this.#count(at);
    const base = fixedLength === null ? at + WORD_BYTES : at;
    if (length === null || base + length * element.headBytes > this.#data.length) return null;
    return this.#sequence(repeat(element, length), base, length * element.headBytes);
  }

  #content(kind: 'bytes' | 'string', at: number): string | null {
    const length = this.#count(at);
    if (length === null) return null;
    const from = at + WORD_BYTES;
    const end = from + Math.ceil(length / WORD_BYTES) * WORD_BYTES;
    if (end > this.#data.length || !isZero(this.#data.subarray(from + length, end))) return null;
    this.end = end;
    const content = this.#data.subarray(from, from + length);
    return kind === 'bytes' ? toHex(content) : readText(content);
  }

  /** A length or an offset; null when it is greater than any here. */
  #count(at: number): number | null {
    if (at + WORD_BYTES > this.#data.length) return null;
    return isZero(this.#data.subarray(at, at + 28)) ? this.#data.readUInt32BE(at + 28) : null;
  }
}

function* repeat(type: AbiType, count: number): Iterable<AbiType> {
  for (let index = 0; index < count; index += 1) yield type;
}

/** Reads one word; null when a value of the type would not be written so. */
function readWord(word: WordForm, bytes: Uint8Array): string | boolean | null {
  if (bytes.length !== WORD_BYTES) return null;
  switch (word.form) {
    case 'bool':
      return isZero(bytes.subarray(0, 31)) && (bytes[31] ?? 2) <= 1 ? bytes[31] === 1 : null;
    case 'leading':
      return isZero(bytes.subarray(word.bytes)) ? toHex(bytes.subarray(0, word.bytes)) : null;
    case 'trailing':
      return isZero(bytes.subarray(0, WORD_BYTES - word.bytes))
        ? toHex(bytes.subarray(WORD_BYTES - word.bytes))
        : null;
    case 'integer': {
      const value = BigInt(toHex(bytes));
      const read = word.isSigned ? BigInt.asIntN(word.bits, value) : BigInt.asUintN(word.bits, value);
      return BigInt.asUintN(256, read) === value ? read.toString() : null;
    }
  }
}

function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}

function readText(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    // A text that JSON cannot hold as it is.
    return null;
  }
}
