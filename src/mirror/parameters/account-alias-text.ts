const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** At least an EVM address of 20 bytes; shard and realm may stand before it. */
const ALIAS = /^(?:\d{1,5}\.){0,2}([A-Z2-7]{32,512})$/;
const BITS = 5;

/**
 * Reads an account alias: base32 without padding, upper case.
 *
 * @returns null for any other text.
 * @see RFC 4648 section 6, contracts/mirror-roadmap.md, accounts
 */
export function parseAliasText(text: string): Uint8Array | null {
  const digits = ALIAS.exec(text)?.[1];
  if (digits === undefined) return null;
  const bytes: number[] = [];
  let [pending, bits] = [0, 0];
  for (const digit of digits) {
    pending = (pending << BITS) | ALPHABET.indexOf(digit);
    bits += BITS;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((pending >> bits) & 0xff);
    pending &= (1 << bits) - 1;
  }
  // Left-over bits belong to no byte: another spelling of the same alias would be accepted.
  return pending === 0 && bits < BITS ? Uint8Array.from(bytes) : null;
}

/** Prints an alias in base32 without padding. */
export function printAlias(alias: Uint8Array): string {
  let text = '';
  let [pending, bits] = [0, 0];
  for (const byte of alias) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= BITS) {
      bits -= BITS;
      text += ALPHABET[pending >> bits] ?? '';
      pending &= (1 << bits) - 1;
    }
  }
  return bits === 0 ? text : text + (ALPHABET[pending << (BITS - bits)] ?? '');
}
