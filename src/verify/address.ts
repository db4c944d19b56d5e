import { keccak_256 } from '@noble/hashes/sha3.js';
import { bareHex, type Hex } from '../values/hex.ts';

/** Prints an address with the upper-case digits of EIP-55. */
export function checksumAddress(address: Hex): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bareHex(keccak_256(Buffer.from(digits, 'ascii')));
  const mixed = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${mixed.join('')}`;
}

/** Reads an address that matched the pattern of the path: any casing is the same address. */
export function normaliseAddress(text: string): Hex {
  return text.toLowerCase() as Hex;
}
