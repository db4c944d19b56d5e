import { withoutEnding } from './without-ending.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_PER_LETTER = 5;
const BITS_PER_BYTE = 8;

/** Prints bytes in base32 without padding, in upper case. @see RFC 4648 section 6 */
export function toBase32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0];
  for (const byte of bytes) {
    held = (held << BITS_PER_BYTE) | byte;
    for (bits += BITS_PER_BYTE; bits >= BITS_PER_LETTER; ) {
      bits -= BITS_PER_LETTER;
      text += LETTERS[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + LETTERS[(held << (BITS_PER_LETTER - bits)) & 31];
}

/**
 * Reads base32 with or without padding, in any letter case.
 *
 * @returns null when the text has another letter or a length that no bytes give.
 */
export function parseBase32(text: string): Uint8Array | null {
  const digits = withoutEnding(text, '=').toUpperCase();
  if (!/^[A-Z2-7]*$/.test(digits)) return null;
  const bytes = new Uint8Array(Math.floor((digits.length * BITS_PER_LETTER) / BITS_PER_BYTE));
  let [bits, held, next] = [0, 0, 0];
  for (const letter of digits) {
    held = ((held << BITS_PER_LETTER) | LETTERS.indexOf(letter)) & 0xfff;
    bits += BITS_PER_LETTER;
    if (bits < BITS_PER_BYTE) continue;
    bits -= BITS_PER_BYTE;
    bytes[next++] = (held >> bits) & 0xff;
  }
  return toBase32(bytes).length === digits.length ? bytes : null;
}
