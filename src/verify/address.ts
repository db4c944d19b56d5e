import { bareHex, type Hex } from '../values/hex.ts';
import { keccak256 } from '../values/keccak256.ts';

/** Prints an address with the upper-case digits of EIP-55. */
export function checksumAddress(address: Hex): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bareHex(keccak256(Buffer.from(digits, 'ascii')));
  const mixed = [...digits].map((digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${mixed.join('')}`;
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Whether a text is an address, in any casing. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Reads an address that matched the pattern of the path: any casing is the same address. */
export function normaliseAddress(text: string): Hex {
  return text.toLowerCase() as Hex;
}

/**
 * Names a spelling of an address that looks like EIP-55 and is not: perhaps another address was meant.
 *
 * @param text an address that matched the pattern of the path.
 * @returns null when the checksum is right, or the casing tells none.
 * @see contracts/verification-api.md section 2.1
 */
export function checksumWarning(text: string): string | null {
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return null;
  const address = checksumAddress(normaliseAddress(text));
  if (text === address) return null;
  return `The address ${text} has a wrong EIP-55 checksum. It was read as ${address}.`;
}
