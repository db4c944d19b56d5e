import { pooledBytes } from '../../values/pooled-bytes.ts';
import { BLOOM_BYTES, byteOfBit } from './bloom.ts';
import { prefixed } from './bytes.ts';

/** Begins what is not stored as it is; no number of a bit begins with it. */
const TAG = 0xff;
/** Above this the list would be longer than the filter. */
const MAX_PLACES = 127;
/** The numbers of the bits of one filter after the other. */
const BITS = new Uint16Array(MAX_PLACES);

/**
 * A filter as it is stored: the numbers of its bits, 16 bits each, behind a tag; a log takes about 30 bytes.
 *
 * What is not 256 bytes long, or has many bits, stays as it is. Every value is read back exactly: one that begins with
 * the tag gets two of them, which no list of bits begins with.
 */
export function packBloom(bloom: Uint8Array | null): Uint8Array | null {
  if (bloom === null) return null;
  const count = bloom.length === BLOOM_BYTES ? readBits(bloom) : null;
  if (count === null) return bloom[0] === TAG ? prefixed(TAG, prefixed(TAG, bloom)) : bloom;
  const packed = pooledBytes(1 + 2 * count);
  let at = 0;
  packed[at++] = TAG;
  for (let index = 0; index < count; index++) {
    const bit = BITS[index] ?? 0;
    packed[at++] = bit >> 8;
    packed[at++] = bit;
  }
  return packed;
}

/** The filter that was packed. */
export function unpackBloom(packed: Uint8Array | null): Uint8Array | null {
  if (packed === null || packed[0] !== TAG) return packed;
  if (packed[1] === TAG) return packed.subarray(2);
  const bloom = new Uint8Array(BLOOM_BYTES);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let offset = 1; offset < packed.length; offset += 2) {
    const bit = view.getUint16(offset);
    const index = byteOfBit(bit);
    bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7));
  }
  return bloom;
}

/** @returns how many {@link BITS} it has; null when they are too many */
function readBits(bloom: Uint8Array): number | null {
  let count = 0;
  for (let index = 0; index < BLOOM_BYTES; index++) {
    for (let rest = bloom[index] ?? 0; rest !== 0; rest &= rest - 1) {
      if (count === MAX_PLACES) return null;
      const lowest = 31 - Math.clz32(rest & -rest);
      BITS[count++] = ((BLOOM_BYTES - 1 - index) << 3) | lowest;
    }
  }
  return count;
}
