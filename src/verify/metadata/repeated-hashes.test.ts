import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { createRepeatedHashes } from './repeated-hashes.ts';

test('repeated hashes are those of keccak256, also for texts that share their beginning', () => {
  const hashes = createRepeatedHashes();
  const text = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251));
  for (const length of [0, 1, 64, 1087, 1088, 1089, 2112, 5000, 4999, 4998]) {
    const bytes = text.subarray(0, length);
    expect(hashes.keccak256(bytes)).toEqual(keccak_256(bytes));
  }
  for (const start of [0, 64, 0]) {
    const pair = text.subarray(start, start + 64);
    expect(hashes.pair(pair)).toEqual(keccak_256(pair));
  }
});
