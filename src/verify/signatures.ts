import { bareHex } from '../values/hex.ts';
import { keccak256 } from '../values/keccak256.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';

/** The kinds of ABI items that have a signature hash. */
export type SignatureType = 'function' | 'event' | 'error';

/** A canonical signature such as `transfer(address,uint256)` and its keccak256, hex without 0x. */
export interface AbiSignature {
  readonly type: SignatureType;
  readonly signature: string;
  readonly hash: string;
}

/**
 * Lists the distinct signatures of an ABI. Items without a name and unknown kinds are left out.
 *
 * @param isLibrary true for a library of Solidity: the selectors of its functions hash the names of structs.
 * @see contracts/verification-api.md section 5.3
 */
export function readSignatures(abi: unknown, isLibrary = false): readonly AbiSignature[] {
  const items: readonly unknown[] = Array.isArray(abi) ? abi : [];
  const found = new Map<string, AbiSignature>();
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    // Before 0.4 the compiler left the type of functions out.
    const type = item['type'] ?? 'function';
    const name = item['name'];
    if (!isSignatureType(type) || typeof name !== 'string' || name === '') continue;
    const types = isLibrary && type === 'function' ? libraryTypes : parameterTypes;
    const signature = `${name}(${types(item['inputs'])})`;
    const hash = bareHex(keccak256(Buffer.from(signature, 'utf8')));
    found.set(`${type} ${signature}`, { type, signature, hash });
  }
  return [...found.values()];
}

function parameterTypes(parameters: unknown): string {
  const list: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
  return list.filter(isJsonObject).map(canonicalType).join(',');
}

function canonicalType(parameter: JsonObject): string {
  const type = String(parameter['type'] ?? '');
  if (!type.startsWith('tuple')) return type;
  return `(${parameterTypes(parameter['components'])})${type.slice('tuple'.length)}`;
}

/** Structs with or without array dimensions, as solc names them from 0.5.11. */
const STRUCT = /^struct ([^\s[\]]+(?:\[\d*\])*)$/;

function libraryTypes(parameters: unknown): string {
  const list: readonly unknown[] = Array.isArray(parameters) ? parameters : [];
  return list
    .filter(isJsonObject)
    .map((parameter) => STRUCT.exec(String(parameter['internalType']))?.[1] ?? canonicalType(parameter))
    .join(',');
}

function isSignatureType(type: unknown): type is SignatureType {
  return type === 'function' || type === 'event' || type === 'error';
}
