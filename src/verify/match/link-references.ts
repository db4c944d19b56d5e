import { bareHex, parseHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';
import type { LinkReferences } from './compiled-code.ts';
import { MatchingError } from './matching-error.ts';

export const LIBRARY_ADDRESS_BYTES = 20;
const ADDRESS_DIGITS = 2 * LIBRARY_ADDRESS_BYTES;

/** One place of one library, `id` is `file:Lib`. Order: files, libraries, references as the compiler lists them. */
export interface LibraryPlace {
  readonly id: string;
  readonly start: number;
}

/** Lists every place of every library. */
export function libraryPlaces(references: LinkReferences): readonly LibraryPlace[] {
  return Object.entries(references).flatMap(([file, libraries]) =>
    Object.entries(libraries).flatMap(([library, ranges]) =>
      ranges.map(({ start }) => ({ id: file === '' ? library : `${file}:${library}`, start })),
    ),
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
  let digits = object.startsWith('0x') ? object.slice(2) : object;
  for (const { id, start } of libraryPlaces(references)) {
    // Of Yul: no record could name it.
    if (id === '') throw new MatchingError(`The library at byte ${start} has no name`);
    const placeholder = digits.slice(2 * start, 2 * start + ADDRESS_DIGITS);
    if (!isPlaceholder(placeholder, id)) {
      throw new MatchingError(`Expected a placeholder of ${id} at byte ${start}, found "${placeholder}"`);
    }
    digits =
      digits.slice(0, 2 * start) + '0'.repeat(ADDRESS_DIGITS) + digits.slice(2 * start + ADDRESS_DIGITS);
  }
  const code = parseHex(digits);
  if (code === null) throw new MatchingError('The compiled code holds characters that are not hex digits');
  return code;
}

function isPlaceholder(text: string, id: string): boolean {
  return text === '0'.repeat(ADDRESS_DIGITS) || text === hashPlaceholder(id) || text === namePlaceholder(id);
}

/** Since 0.5.0. */
function hashPlaceholder(id: string): string {
  return `__$${bareHex(keccak256(Buffer.from(id, 'utf8'))).slice(0, 34)}$__`;
}

/** Before 0.5.0. */
function namePlaceholder(id: string): string {
  return `__${id.slice(0, 36).padEnd(38, '_')}`;
}
