import { bareHex, type Hex, parseHex, toHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import { once } from '../../values/once.ts';
import type { CodeRange, LinkReferences } from './compiled-code.ts';
import { MatchingError, type ReplacedCode, type Transformation } from './transformations.ts';

export const LIBRARY_ADDRESS_BYTES = 20;
const ADDRESS_DIGITS = 2 * LIBRARY_ADDRESS_BYTES;
const ZEROS = '0'.repeat(ADDRESS_DIGITS);
const NAME_BYTES = 36;
const LAST_CODE_POINT = 0x10ffff;
const HEX_DIGITS = '0123456789abcdef';

/** Lists every place of every library, `id` is `file:Lib`, in the order in which the compiler lists them. */
export function libraryPlaces(references: LinkReferences) {
  return Object.entries(references).flatMap(([file, libraries]) =>
    Object.entries(libraries).flatMap(([library, ranges]) => {
      const id = file === '' ? library : `${file}:${library}`;
      return ranges.map(({ start }) => ({ id, start }));
    }),
  );
}

/**
 * Reads code as the compiler printed it and puts zeros in the places of unlinked libraries.
 *
 * @param object hex, with or without 0x, with placeholders at the references.
 * @throws MatchingError when a reference holds something else than a placeholder or zeros, or when the rest
 * is no hex.
 * @see contracts/verification-engine.md section 7.3
 */
export function readLinkableCode(object: string, references: LinkReferences): Uint8Array {
  const printed = object.startsWith('0x') ? object.slice(2) : object;
  const known = new Map<string, readonly Placeholder[]>();
  const pieces: string[] = [];
  let last = -1;
  /** How far the text is read, and how much shorter it is than the code: names of some scripts have fewer characters. */
  let [read, shorter] = [0, 0];
  for (const { id, start } of [...libraryPlaces(references)].sort((one, other) => one.start - other.start)) {
    // Of Yul: no record could name it.
    if (id === '' || id.endsWith(':')) throw new MatchingError(`The library at byte ${start} has no name`);
    if (start === last) continue;
    const at = 2 * start - shorter;
    const forms = known.get(id) ?? placeholders(id);
    known.set(id, forms);
    const found = at < read ? undefined : forms.find(({ text }) => printed.startsWith(text, at));
    if (found === undefined) {
      const text = printed.slice(at, at + ADDRESS_DIGITS);
      throw new MatchingError(`Expected a placeholder of ${id} at byte ${start}, found "${text}"`);
    }
    pieces.push(printed.slice(read, at), ZEROS, found.swallowed);
    read = at + found.text.length;
    shorter += ADDRESS_DIGITS + found.swallowed.length - found.text.length;
    last = start;
  }
  const code = parseHex(pieces.join('') + printed.slice(read));
  if (code === null) throw new MatchingError('The compiled code holds characters that are not hex digits');
  return code;
}

/**
 * Finds the placeholders of libraries in code without link references, as solc gave it below 0.4.11.
 *
 * @param ids of all contracts that may be meant.
 * @returns up to the first place that is none of theirs.
 */
export function findLinkReferences(object: string, ids: readonly string[]): LinkReferences {
  const named = once(() => ids.map((id) => ({ id, forms: namePlaceholders(id) })));
  const found = new Map<string, CodeRange[]>();
  let shorter = 0;
  for (let at = object.indexOf('__'); at >= 0; ) {
    const isHere = ({ text }: Placeholder) => object.startsWith(text, at);
    const library = named().find(({ forms }) => forms.some(isHere));
    const placeholder = library?.forms.find(isHere);
    if (library === undefined || placeholder === undefined) break;
    const { text, swallowed } = placeholder;
    const range = { start: (at + shorter) / 2, length: LIBRARY_ADDRESS_BYTES };
    const ranges = found.get(library.id);
    if (ranges === undefined) found.set(library.id, [range]);
    else ranges.push(range);
    shorter += ADDRESS_DIGITS + swallowed.length - text.length;
    at = object.indexOf('__', at + text.length);
  }
  return byFile(found);
}

/** @param references by `file:Lib`, or `Lib` where a compiler knows no files. */
export function byFile(references: Iterable<readonly [string, readonly CodeRange[]]>): LinkReferences {
  const files = new Map<string, Map<string, readonly CodeRange[]>>();
  for (const [id, ranges] of references) {
    const colon = id.lastIndexOf(':');
    const file = id.slice(0, Math.max(0, colon));
    files.set(file, (files.get(file) ?? new Map()).set(id.slice(colon + 1), ranges));
  }
  return Object.fromEntries([...files].map(([file, libraries]) => [file, Object.fromEntries(libraries)]));
}

interface Placeholder {
  readonly text: string;
  /** Digits behind it that came out as a part of its last character. */
  readonly swallowed: string;
}

function placeholders(id: string): readonly Placeholder[] {
  return [...[ZEROS, hashPlaceholder(id)].map((text) => ({ text, swallowed: '' })), ...namePlaceholders(id)];
}

/** Since 0.5.0. */
function hashPlaceholder(id: string): string {
  return `__$${bareHex(keccak256(Buffer.from(id, 'utf8'))).slice(0, 34)}$__`;
}

/**
 * Before 0.5.0: the first 36 bytes of the name, which may cut a character. How that comes out depends on who reads the
 * bytes: with a mark in its place, or joined with what follows, at most `__` and one digit.
 */
function namePlaceholders(id: string): readonly Placeholder[] {
  const name = Buffer.from(id, 'utf8').subarray(0, NAME_BYTES);
  const bytes = Buffer.concat([Buffer.from('__'), name, Buffer.alloc(ADDRESS_DIGITS - 2 - name.length, '_')]);
  const marked = { text: bytes.toString('utf8'), swallowed: '' };
  if (!marked.text.includes('\ufffd')) return [marked];
  const joined = ['', ...HEX_DIGITS].flatMap((swallowed) => {
    const text = decodeLoosely(Buffer.concat([bytes, Buffer.from(swallowed)]));
    return text === null ? [] : [{ text, swallowed }];
  });
  // Where none is swallowed, a digit behind it stays where it is.
  return joined[0]?.swallowed === '' ? [marked, joined[0]] : [marked, ...joined];
}

/** As compilers in WebAssembly read their own text: the first byte of a character says how many belong to it. Null when they are not all there. */
function decodeLoosely(bytes: Uint8Array): string | null {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++] ?? 0;
    const more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (at + more > bytes.length) return null;
    let code = more === 0 ? first : first & (0x3f >> more);
    for (const end = at + more; at < end; at++) code = (code << 6) | ((bytes[at] ?? 0) & 0x3f);
    if (code > LAST_CODE_POINT) return null;
    text += String.fromCodePoint(code);
  }
  return text;
}

/**
 * Copies library addresses from the chain into the places that the compiler left open.
 *
 * @returns null when two places of one library hold different addresses, or the code on chain is too short.
 * @see contracts/verification-engine.md section 7.3
 */
export function fillLibraries(
  recompiled: Uint8Array,
  onchain: Uint8Array,
  references: LinkReferences,
): ReplacedCode | null {
  const code = Uint8Array.from(recompiled);
  const transformations: Transformation[] = [];
  const addresses = new Map<string, Hex>();
  for (const { id, start } of libraryPlaces(references)) {
    const address = onchain.subarray(start, start + LIBRARY_ADDRESS_BYTES);
    if (address.length < LIBRARY_ADDRESS_BYTES || start + LIBRARY_ADDRESS_BYTES > code.length) return null;
    const text = toHex(address);
    if ((addresses.get(id) ?? text) !== text) return null;
    addresses.set(id, text);
    code.set(address, start);
    transformations.push({ type: 'replace', reason: 'library', offset: start, id });
  }
  const values = addresses.size === 0 ? {} : { libraries: Object.fromEntries(addresses) };
  return { code, transformations, values };
}
