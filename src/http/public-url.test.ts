import { expect, test } from 'vitest';
import { publicUrlOf } from './public-url.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['ledger.local', 'http://ledger.local:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['::', 'http://localhost:8080'],
  ['::1', 'http://[::1]:8080'],
  ['fe80::1%eth0', 'http://localhost:8080'],
])('a server on %s has links to %s', (host, url) => {
  expect(publicUrlOf({ publicUrl: null, host, ports: [8080, 5551] })).toBe(url);
});

test('a configured address wins', () => {
  const publicUrl = 'https://ledger.example.org/x';
  expect(publicUrlOf({ publicUrl, host: '::', ports: [8080] })).toBe(publicUrl);
});
