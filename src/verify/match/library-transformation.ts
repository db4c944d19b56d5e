import { type Hex, toHex } from '../../values/hex.ts';
import type { LinkReferences } from './compiled-code.ts';
import { LIBRARY_ADDRESS_BYTES, libraryPlaces } from './link-references.ts';
import type { Transformation, TransformationValues } from './transformations.ts';

/** Code with library addresses copied from the chain, and the record of it. */
interface FilledLibraries {
  readonly code: Uint8Array;
  readonly transformations: readonly Transformation[];
  readonly values: TransformationValues;
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
): FilledLibraries | null {
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
