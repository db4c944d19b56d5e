import { parseHex } from '../../../values/hex.ts';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * Reads a serialized transaction from text: hexadecimal with or without `0x`, or base64 in either alphabet.
 *
 * Text of nothing but an even number of hexadecimal digits is hexadecimal: no serialized transaction of more than a few
 * bytes looks so in base64. Blanks and line ends are ignored.
 *
 * @returns null when it is neither.
 */
export function parseTransactionText(text: string): Uint8Array | null {
  const dense = text.replace(/\s+/g, '');
  const bytes = parseHex(dense);
  if (bytes !== null) return bytes;
  return BASE64.test(dense) ? new Uint8Array(Buffer.from(dense, 'base64')) : null;
}
