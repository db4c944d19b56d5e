/** Lower-case hexadecimal text with the prefix `0x` and an even number of digits. */
export type Hex = `0x${string}`;

const EVEN_HEX = /^(?:0x)?(?:[0-9a-fA-F]{2})*$/;

/** Prints bytes as lower-case hex with `0x`. */
export function toHex(bytes: Uint8Array): Hex {
  return `0x${bareHex(bytes)}`;
}

/** Prints bytes as lower-case hex without a prefix. */
export function bareHex(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('hex');
}

/** The same bytes with the methods of a buffer; an import asks for millions, most of which are one. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads hex with or without `0x`, in any letter case.
 *
 * @returns null when the text is no hex or has an odd number of digits.
 */
export function parseHex(text: string): Uint8Array | null {
  if (!EVEN_HEX.test(text)) return null;
  return new Uint8Array(toBytes(text));
}

/** The bytes of what is known to be hex, with or without `0x`. */
export function toBytes(hex: string): Buffer {
  return Buffer.from(hex.startsWith('0x') ? hex.slice(2) : hex, 'hex');
}
