/** Some of the places of a chunk, numbered from 0: bit `number % 8` of byte `number / 8`. */
export type PlaceBits = Uint8Array;

const BITS = 8;
const NUMBER_BYTES = 2;
const WORD_BYTES = 4;
/** Above the numbers that two bytes hold. */
const NUMBERED = 1 << (BITS * NUMBER_BYTES);
const BITS_OF_BYTE = Uint8Array.from(
  { length: 1 << BITS },
  (_, byte) => byte.toString(2).replaceAll('0', '').length,
);

/**
 * Packs places for storing: their bits, or where that is shorter their numbers, two bytes each.
 *
 * @param size how many places the chunk has
 */
export function packPlaces(numbers: readonly number[], size: number): Uint8Array {
  const bits = new Uint8Array(bytesFor(size));
  if (size <= NUMBERED && numbers.length * NUMBER_BYTES < bits.length) {
    const packed = Buffer.alloc(numbers.length * NUMBER_BYTES);
    for (const [index, number] of numbers.entries()) packed.writeUInt16BE(number, index * NUMBER_BYTES);
    return packed;
  }
  for (const number of numbers) setBit(bits, number);
  return bits;
}

/** What was packed, as bits. */
export function unpackPlaces(packed: Uint8Array, size: number): PlaceBits {
  const length = bytesFor(size);
  if (packed.length === length) return packed;
  const bits = new Uint8Array(length);
  for (let at = 0; at < packed.length; at += NUMBER_BYTES) {
    setBit(bits, ((packed[at] ?? 0) << BITS) | (packed[at + 1] ?? 0));
  }
  return bits;
}

// The loops below count: a search goes through hundreds of chunks, and iterators and callbacks take ten times as long.

/** Places that are in both, of as many. */
export function inBoth(one: PlaceBits, other: PlaceBits): PlaceBits {
  const bits = new Uint8Array(one.length);
  const [first, second] = [wordsOf(one), wordsOf(other)];
  if (first !== null && second !== null) {
    const words = new Uint32Array(bits.buffer);
    for (let at = 0; at < words.length; at++) words[at] = (first[at] ?? 0) & (second[at] ?? 0);
  } else {
    for (let at = 0; at < bits.length; at++) bits[at] = (one[at] ?? 0) & (other[at] ?? 0);
  }
  return bits;
}

/** Whether no place is in all of them, of as many; mostly so, and found without making anything. */
export function shareNone(all: readonly PlaceBits[]): boolean {
  const length = all[0]?.length ?? 0;
  for (let at = 0; at < length; at++) {
    let byte = 0xff;
    for (let index = 0; index < all.length; index++) byte &= all[index]?.[at] ?? 0;
    if (byte !== 0) return false;
  }
  return true;
}

/** Four bytes at once; null where they do not lie so, as in what a database sends. */
function wordsOf({ buffer, byteOffset, length }: PlaceBits): Uint32Array | null {
  const isWhole = byteOffset % WORD_BYTES === 0 && length % WORD_BYTES === 0;
  return isWhole ? new Uint32Array(buffer, byteOffset, length / WORD_BYTES) : null;
}

/** Places that are in one or the other. */
export function inEither(one: PlaceBits, other: PlaceBits): PlaceBits {
  const bits = new Uint8Array(one.length);
  for (let at = 0; at < bits.length; at++) bits[at] = (one[at] ?? 0) | (other[at] ?? 0);
  return bits;
}

export function isEmpty(bits: PlaceBits): boolean {
  for (let at = 0; at < bits.length; at++) if (bits[at] !== 0) return false;
  return true;
}

export function countPlaces(bits: PlaceBits): number {
  let count = 0;
  for (let at = 0; at < bits.length; at++) count += BITS_OF_BYTE[bits[at] ?? 0] ?? 0;
  return count;
}

/** Their numbers, ascending. */
export function placeNumbers(bits: PlaceBits): readonly number[] {
  const numbers: number[] = [];
  for (const [index, byte] of bits.entries()) {
    for (let bit = 0; byte >> bit > 0; bit++) if (byte & (1 << bit)) numbers.push(index * BITS + bit);
  }
  return numbers;
}

function setBit(bits: Uint8Array, number: number): void {
  bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
}

function bytesFor(size: number): number {
  return Math.ceil(size / BITS);
}
