/** A source of random bytes; the product passes the operating system's secure one. */
export type RandomBytes = (count: number) => Uint8Array;

/** Digits and consonants: without vowels an id never spells a word. */
const ALPHABET = '0123456789bcdfghjklmnpqrstvwxyz';
const LENGTH = 12;

/** Bytes from here on are thrown away, so that every character is equally likely. */
const FAIR_LIMIT = 256 - (256 % ALPHABET.length);

/**
 * Makes the id of a page, component, incident or update: 12 characters out of 31.
 *
 * @see contracts/status.md section 2, ids
 */
export function createObjectId(randomBytes: RandomBytes): string {
  let id = '';
  while (id.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      if (byte < FAIR_LIMIT && id.length < LENGTH) id += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return id;
}
