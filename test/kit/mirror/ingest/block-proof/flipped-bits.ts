import { numbersFrom } from '../../../../support/seed.ts';

/** `DAMAGE_EXHAUSTIVE_PROOFS=1` flips every bit of a proof, some minutes; otherwise as many as a test draws. */
export const FLIPS_ALL = process.env['DAMAGE_EXHAUSTIVE_PROOFS'] === '1';

/** The bytes with one bit changed, for some bits or all of them, with the place of each. */
export function* flippedBits(
  bytes: Uint8Array,
  samples: number,
  seed: string,
): Generator<{ readonly at: string; readonly bytes: Uint8Array }> {
  const random = numbersFrom([...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7));
  const bits = bytes.length * 8;
  const places = FLIPS_ALL
    ? Array.from({ length: bits }, (_, bit) => bit)
    : Array.from({ length: Math.min(samples, bits) }, () => Math.floor(random() * bits));
  for (const place of places) {
    const flipped = Uint8Array.from(bytes);
    flipped[place >> 3] = (flipped[place >> 3] ?? 0) ^ (1 << (place & 7));
    yield { at: `byte ${place >> 3}, bit ${place & 7}`, bytes: flipped };
  }
}
