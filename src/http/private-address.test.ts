import { describe, expect, test } from 'vitest';
import { isPrivateAddress, isPrivateUrl, literalAddress } from './private-address.ts';

describe('isPrivateAddress', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'no address',
    '',
  ])('%j is none of the open Internet', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
  ])('%s is', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

describe('isPrivateUrl', () => {
  test.each([
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://[::1]:8080/',
    'http://[::ffff:7f00:1]/',
    'http://localhost:9/',
    'http://LOCALHOST./',
    'http://hooks.localhost/',
  ])('%s is private in whatever form it is written', (text) => {
    expect(isPrivateUrl(new URL(text))).toBe(true);
  });

  test.each(['https://example.org/', 'http://localhost.example.org/', 'http://[2606:4700::1111]/'])(
    '%s does not show what it leads to, or is open',
    (text) => {
      expect(isPrivateUrl(new URL(text))).toBe(false);
    },
  );
});

test('literalAddress tells addresses from names', () => {
  expect(literalAddress(new URL('http://[2606:4700::1111]:80/'))).toBe('2606:4700::1111');
  expect(literalAddress(new URL('http://10.1/'))).toBe('10.0.0.1');
  expect(literalAddress(new URL('http://example.org/'))).toBeNull();
});
