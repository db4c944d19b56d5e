/**
 * Some of the places of a chunk, numbered from 0: bit `number % 8` of byte `number / 8`. The bytes lie in words, so that four
 * are combined at once.
 */
export type PlaceBits = Uint32Array;

const BITS = 8;
const NUMBER_BYTES = 2;
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
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
  const bits = new Uint32Array(Math.ceil(bytesFor(size) / WORD_BYTES));
  const bytes = bytesOf(bits);
  if (packed.length === bytesFor(size)) {
    bytes.set(packed);
    return bits;
  }
  for (let at = 0; at < packed.length; at += NUMBER_BYTES) {
    setBit(bytes, ((packed[at] ?? 0) << BITS) | (packed[at + 1] ?? 0));
  }
  return bits;
}

// The loops below count: a search goes through hundreds of chunks, and iterators and callbacks take ten times as long.

/** Places that are in both, of as many. */
export function inBoth(one: PlaceBits, other: PlaceBits): PlaceBits {
  const bits = new Uint32Array(one.length);
  for (let at = 0; at < bits.length; at++) bits[at] = (one[at] ?? 0) & (other[at] ?? 0);
  return bits;
}

/** Places that are in one or the other, of as many. */
export function inEither(one: PlaceBits, other: PlaceBits): PlaceBits {
  const bits = new Uint32Array(one.length);
  for (let at = 0; at < bits.length; at++) bits[at] = (one[at] ?? 0) | (other[at] ?? 0);
  return bits;
}

/** Whether no place is in both, of as many; mostly so, and found without making anything. */
export function shareNone(one: PlaceBits, other: PlaceBits): boolean {
  for (let at = 0; at < one.length; at++) if (((one[at] ?? 0) & (other[at] ?? 0)) !== 0) return false;
  return true;
}

export function isEmpty(bits: PlaceBits): boolean {
  for (let at = 0; at < bits.length; at++) if (bits[at] !== 0) return false;
  return true;
}

export function countPlaces(bits: PlaceBits): number {
  const bytes = bytesOf(bits);
  let count = 0;
  for (let at = 0; at < bytes.length; at++) count += BITS_OF_BYTE[bytes[at] ?? 0] ?? 0;
  return count;
}

/** Their numbers, ascending. */
export function placeNumbers(bits: PlaceBits): readonly number[] {
  const numbers: number[] = [];
  for (const [index, byte] of bytesOf(bits).entries()) {
    for (let bit = 0; byte >> bit > 0; bit++) if (byte & (1 << bit)) numbers.push(index * BITS + bit);
  }
  return numbers;
}

function bytesOf({ buffer, byteOffset, byteLength }: PlaceBits): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function setBit(bytes: Uint8Array, number: number): void {
  bytes[number >> 3] = (bytes[number >> 3] ?? 0) | (1 << (number & 7));
}

function bytesFor(size: number): number {
  return Math.ceil(size / BITS);
}
