import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { keccak256, startKeccak256 } from './keccak256.ts';

const BYTES = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);

test.each([0, 1, 64, 135, 136, 137, 16_384, 70_000])('%i bytes hash as @noble/hashes says', (length) => {
  const bytes = BYTES.subarray(0, length);
  const first = keccak256(bytes);
  expect(Buffer.from(first)).toEqual(Buffer.from(keccak_256(bytes)));
  keccak256(BYTES.subarray(1));
  expect(Buffer.from(first)).toEqual(Buffer.from(keccak_256(bytes)));
});

test('hashes of bytes in pieces do not disturb each other', () => {
  const [one, other] = [startKeccak256(), startKeccak256()];
  for (let at = 0; at < BYTES.length; at += 9999) {
    one.update(BYTES.subarray(at, at + 9999));
    other.update(keccak256(BYTES.subarray(0, at)));
  }
  expect(Buffer.from(one.digest())).toEqual(Buffer.from(keccak_256(BYTES)));
  const hashes = Array.from({ length: 8 }, (_, index) => keccak_256(BYTES.subarray(0, index * 9999)));
  expect(Buffer.from(other.digest())).toEqual(Buffer.from(keccak_256(Buffer.concat(hashes))));
});
