import { decode } from 'cborg';
import type { CompilerIdentity } from '../compiled-code.ts';
import { isBefore } from '../version-order.ts';

const LENGTH_BYTES = 2;
/** Nothing in another encoding comes from a compiler; the freedom would be room for code. */
const STRICT = { useMaps: true, strict: true, allowIndefinite: false, rejectDuplicateMapKeys: true } as const;

/**
 * True when bytes have exactly the form in which a compiler writes its metadata.
 *
 * That bytes decode as CBOR is not enough: a CBOR byte string holds any code.
 *
 * @param bytes CBOR with the length bytes of its compiler.
 * @see contracts/verification-engine.md sections 4.3 and 6.1
 */
export function isAuxdataOf({ language, version }: CompilerIdentity, bytes: Uint8Array): boolean {
  if (language === 'Vyper') return isVyperAuxdata(bytes, version);
  const cbor = withoutLength(bytes, 0);
  return language === 'Solidity' && cbor !== null && isSolidityMetadata(decodeStrictly(cbor));
}

/** Each key with what the compiler writes below it. A nightly build names itself in a text. */
const SOLIDITY_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  ipfs: (value) => isBytes(value, 34),
  bzzr0: (value) => isBytes(value, 32),
  bzzr1: (value) => isBytes(value, 32),
  solc: (value) => isBytes(value, 3) || (typeof value === 'string' && NIGHTLY.test(value)),
  experimental: (value) => value === true,
};
const NIGHTLY = /^\d+\.\d+\.\d+-[a-z]+(?:\.\d+)*\+commit\.[0-9a-f]{8}(?:\.mod)?$/;

function isSolidityMetadata(decoded: unknown): boolean {
  if (!(decoded instanceof Map) || decoded.size === 0) return false;
  return [...decoded].every(
    ([key, value]) => Object.hasOwn(SOLIDITY_MEMBERS, key) && SOLIDITY_MEMBERS[key]?.(value) === true,
  );
}

function isVyperAuxdata(bytes: Uint8Array, version: string): boolean {
  if (isBefore(version, '0.3.5')) return isVyperVersion(decodeStrictly(bytes));
  if (isBefore(version, '0.3.10')) {
    const cbor = withoutLength(bytes, 0);
    return cbor !== null && isVyperVersion(decodeStrictly(cbor));
  }
  const cbor = withoutLength(bytes, LENGTH_BYTES);
  const decoded = cbor === null ? null : decodeStrictly(cbor);
  if (!Array.isArray(decoded)) return false;
  const parts: unknown[] = [...decoded];
  if (!isVyperVersion(parts.pop())) return false;
  if (!isBefore(version, '0.4.1') && !isBytes(parts.shift(), 32)) return false;
  return parts.flat().every(isSize);
}

/** Three numbers; a compiler that was built from its sources may not know all of them. */
function isVyperVersion(value: unknown): boolean {
  if (!(value instanceof Map) || value.size !== 1) return false;
  const parts: unknown = value.get('vyper');
  return Array.isArray(parts) && parts.length >= 1 && parts.length <= 3 && parts.every(isSize);
}

function isSize(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isBytes(value: unknown, length: number): boolean {
  return value instanceof Uint8Array && value.length === length;
}

/** @param counted how many of the length bytes the length counts. */
function withoutLength(bytes: Uint8Array, counted: number): Uint8Array | null {
  const cbor = bytes.subarray(0, -LENGTH_BYTES);
  const length = ((bytes.at(-2) ?? 0) << 8) | (bytes.at(-1) ?? 0);
  return bytes.length > LENGTH_BYTES && length === cbor.length + counted ? cbor : null;
}

function decodeStrictly(bytes: Uint8Array): unknown {
  try {
    return decode(bytes, STRICT);
  } catch {
    // Every failure says the same: no compiler wrote these bytes.
    return null;
  }
}
