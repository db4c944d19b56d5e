import { expect, test } from 'vitest';
import { createSelfSignedIdentity } from './self-signed-certificate.ts';

test('no line of a certificate is empty, however long its signature is', () => {
  // Signatures differ by a few bytes, and now and then the last line is full.
  const certificates = Array.from(
    { length: 300 },
    () => createSelfSignedIdentity('ledger.example.org').certificate,
  );
  const lengths = new Set(certificates.map(({ length }) => length));
  expect(lengths.size).toBeGreaterThan(1);
  expect(certificates.filter((pem) => pem.includes('\n\n'))).toEqual([]);
});
