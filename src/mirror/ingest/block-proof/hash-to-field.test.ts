import { expect, test } from 'vitest';
import { hashToField } from './hash-to-field.ts';

// Beside what the challenges of real proofs show (hints/check-hints.test.ts).
test('hashes under its domain to numbers below the order', () => {
  const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
  const data = new TextEncoder().encode('data');
  const found = ['', 'A', 'B'].map((domain) => hashToField(order, domain, data));
  expect(new Set(found).size).toBe(3);
  for (const number of found) expect(number < order).toBe(true);
  expect(hashToField(17n, 'A', data) < 17n).toBe(true);
});
