import { decode } from 'cborg';
import { type Hex, parseHex, toHex } from '../../../values/hex.ts';
import type { CompilerIdentity } from '../compiled-code.ts';
import { isBefore } from '../version-order.ts';

const LENGTH_BYTES = 2;

/**
 * Splits the metadata off the end of Solidity code: `n` bytes of CBOR, then `n` in two bytes.
 *
 * @returns as `value` the CBOR with its length bytes; null when the code does not end in one decodable CBOR item.
 * @see contracts/verification-engine.md section 6.1
 */
export function splitTrailingAuxdata(code: Uint8Array) {
  if (code.length < LENGTH_BYTES) return null;
  const length = ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0);
  const offset = code.length - LENGTH_BYTES - length;
  if (offset <= 0) return null;
  const item = decodeCbor(code.subarray(offset, offset + length));
  return item === null ? null : { value: toHex(code.subarray(offset)), offset, decoded: item.value };
}

/** Decodes exactly one CBOR item; maps become `Map`. Null when the bytes are something else. */
export function decodeCbor(bytes: Uint8Array): { readonly value: unknown } | null {
  if (bytes.length === 0) return null;
  try {
    return { value: decode(bytes, { useMaps: true }) };
  } catch {
    // Any failure has the same meaning here: the bytes are code, not metadata.
    return null;
  }
}

/** True when decoded Solidity metadata carries a hash of the sources. */
export function hasMetadataHash(decoded: unknown): boolean {
  return decoded instanceof Map && ['ipfs', 'bzzr0', 'bzzr1'].some((key) => decoded.has(key));
}

/**
 * True when an auxdata value proves the sources: it holds a hash of them.
 *
 * Solidity from 0.4.7 with `ipfs`, `bzzr0` or `bzzr1`; Vyper from 0.4.1 with its integrity hash.
 *
 * @see contracts/verification-engine.md section 7.2
 */
export function provesSources(value: Hex, { language, version }: CompilerIdentity): boolean {
  const bytes = parseHex(value);
  if (bytes === null) return false;
  const decoded = decodeCbor(bytes.subarray(0, -LENGTH_BYTES))?.value;
  if (language === 'Vyper') {
    return !isBefore(version, '0.4.1') && Array.isArray(decoded) && isIntegrityHash(decoded[0]);
  }
  return language === 'Solidity' && !isBefore(version, '0.4.7') && hasMetadataHash(decoded);
}

function isIntegrityHash(item: unknown): boolean {
  return item instanceof Uint8Array && item.length === 32;
}
