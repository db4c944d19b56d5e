import { bareHex, type Hex } from '../../values/hex.ts';

/** What one tinybar is in the unit of the EVM. */
export const WEIBARS_PER_TINYBAR = 10n ** 10n;
const WORD_DIGITS = 64;

/**
 * Bytes as a quantity: hex without one leading zero digit when more follow.
 *
 * @returns `0x` for no bytes and for null.
 * @see contracts/mirror-contracts.md section 1
 * @example quantity(Uint8Array.of(0x01, 0x2a)) // '0x12a'
 */
export function quantity(bytes: Uint8Array | null): Hex {
  if (bytes === null) return '0x';
  const digits = bareHex(bytes);
  return `0x${digits.length > 1 && digits.startsWith('0') ? digits.slice(1) : digits}`;
}

/** Bytes as a word of the EVM: hex of 64 digits, with zeros on the left; longer ones keep all digits. */
export function word(bytes: Uint8Array): Hex {
  return paddedHex(bytes, WORD_DIGITS);
}

/** The same of hex. */
export function wordOfHex(hex: Hex): Hex {
  return `0x${hex.slice(2).padStart(WORD_DIGITS, '0')}`;
}

/** Hex of at least so many digits, with zeros on the left. */
export function paddedHex(bytes: Uint8Array, digits: number): Hex {
  return `0x${bareHex(bytes).padStart(digits, '0')}`;
}

/** The number that bytes are, the first one the highest; 0 without bytes. */
export function unsignedOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bareHex(bytes)}`);
}

/** The number that bytes are in two's complement; 0 without bytes. */
export function signedOf(bytes: Uint8Array): bigint {
  return BigInt.asIntN(8 * bytes.length, unsignedOf(bytes));
}

/** The fewest bytes of a number that is not negative; one zero byte for 0. */
export function unsignedBytes(value: bigint): Uint8Array {
  const digits = value.toString(16);
  return new Uint8Array(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'));
}

/**
 * The value of an Ethereum transaction as an amount.
 *
 * @param value weibars; `null` or no bytes when it is not known
 * @param hbar true: whole tinybars of the value in two's complement, rounded toward zero; false: weibars of the value
 *   without a sign
 * @returns exact, also beyond 64 bits
 * @see contracts/mirror-contracts.md section 4.2
 */
export function ethereumAmount(value: Uint8Array | null, hbar: boolean): bigint | null {
  if (value === null || value.length === 0) return null;
  return hbar ? signedOf(value) / WEIBARS_PER_TINYBAR : unsignedOf(value);
}

/**
 * A gas price of an Ethereum transaction as a quantity.
 *
 * @param price weibars
 * @param hbar true: whole tinybars, without leading zeros; false: the bytes as they are stored
 * @returns `0x` when the transaction does not tell it
 * @see contracts/mirror-contracts.md section 4.2
 */
export function ethereumGasPrice(price: Uint8Array | null, hbar: boolean): Hex {
  if (price === null || price.length === 0 || !hbar) return quantity(price);
  return `0x${(unsignedOf(price) / WEIBARS_PER_TINYBAR).toString(16)}`;
}

/** An amount of a transaction that is not Ethereum's: tinybars, or weibars when `hbar` is false; null stays. */
export function plainAmount(tinybars: bigint | null, hbar: boolean): bigint | null {
  return tinybars === null || hbar ? tinybars : tinybars * WEIBARS_PER_TINYBAR;
}
