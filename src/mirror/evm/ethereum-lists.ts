import { type Hex, toHex } from '../../values/hex.ts';
import { padded } from './bytes.ts';
import { readInteger } from './integers.ts';
import { unsignedOf } from './quantities.ts';
import { isList } from './read-rlp.ts';
import { isBytes, type RlpItem } from './write-rlp.ts';

/** An address and the slots that a transaction says it will touch. @see EIP-2930 */
export interface AccessListEntry {
  /** At least 20 bytes, as here in all lists. */
  readonly address: Uint8Array;
  /** At least 32 bytes each. */
  readonly storageKeys: readonly Uint8Array[];
}

/** An account that lets its code be set. @see EIP-7702 */
export interface Authorization {
  /** Quantity. */
  readonly chainId: Hex;
  readonly address: Uint8Array;
  /** Int64. */
  readonly nonce: bigint;
  /** Quantity. */
  readonly yParity: Hex;
  /** At least 32 bytes. */
  readonly r: Uint8Array;
  /** At least 32 bytes. */
  readonly s: Uint8Array;
}

const ADDRESS_BYTES = 20;
const WORD_BYTES = 32;
const MAX_AUTHORIZATIONS = 1500;
const AUTHORIZATION_ITEMS = 6;

/** Null when an entry is in no known form; none when it is no list. */
export function readAccessList(item: RlpItem): readonly AccessListEntry[] | null {
  if (!isList(item)) return [];
  const entries: AccessListEntry[] = [];
  for (const entry of item) {
    if (!isList(entry) || entry.length !== 2) return null;
    const [address, keys] = entry as readonly [RlpItem, RlpItem];
    if (!isBytes(address) || !isList(keys)) return null;
    const words = keys.filter(isBytes);
    if (words.length !== keys.length) return null;
    entries.push({
      address: padded(address, ADDRESS_BYTES),
      storageKeys: words.map((key) => padded(key, WORD_BYTES)),
    });
  }
  return entries;
}

/** Null when it is no list, has more than 1500 entries, or one in no known form. */
export function readAuthorizationList(item: RlpItem): readonly Authorization[] | null {
  if (!isList(item) || item.length > MAX_AUTHORIZATIONS) return null;
  const authorizations: Authorization[] = [];
  for (const entry of item) {
    const members = isList(entry) ? entry.filter(isBytes) : [];
    const [chain, address, nonce, parity, r, s] = members;
    if (!isList(entry) || entry.length !== AUTHORIZATION_ITEMS) return null;
    if (!chain || !address || !nonce || !parity || !r || !s) return null;
    const number = readInteger(nonce);
    if (number === null) return null;
    authorizations.push({
      chainId: shortQuantity(chain),
      address: padded(address, ADDRESS_BYTES),
      nonce: number,
      yParity: shortQuantity(parity),
      r: padded(r, WORD_BYTES),
      s: padded(s, WORD_BYTES),
    });
  }
  return authorizations;
}

/** `0x0` for no bytes; bytes that begin with zero stay as they are. */
function shortQuantity(bytes: Uint8Array): Hex {
  return bytes.length > 0 && bytes[0] === 0 ? toHex(bytes) : `0x${unsignedOf(bytes).toString(16)}`;
}
