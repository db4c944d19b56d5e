import type {
  Decoded,
  DecodedArgument,
  DecodedField,
  DecodeRequest,
  LogToDecode,
} from '../../values/decode-calls.ts';
import { toHex } from '../../values/hex.ts';
import { type AbiItem, distinctLayouts } from './abi-index.ts';
import { areKnown } from './abi-type.ts';
import { decodeValues, readWord } from './decode-values.ts';
import { readSignature } from './read-parameters.ts';
import type { Turns } from './turns.ts';

export const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;
/** What is longer is not decoded: some milliseconds of work. */
const LONGEST_DATA = 65_536;
/** Selectors that more signatures have were made to have them. */
export const MOST_CANDIDATES = 32;
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
  const candidates = distinctLayouts(items.slice(0, MOST_CANDIDATES + 1));
  if (items.length > MOST_CANDIDATES || request.data.length > LONGEST_DATA) return null;
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
  return request.returned.length > LONGEST_DATA ? null : decodeValues(outputs, request.returned);
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
