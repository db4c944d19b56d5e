import { describe, expect, test } from 'vitest';
import { clientAddresses, clientOf, type TrustedProxies } from '../client-address.ts';
import { ClientLimiter } from './client-limiter.ts';

describe('ClientLimiter', () => {
  test('lets a burst of 40 pass, then so many per second, each client by itself', () => {
    let now = 0;
    const limiter = new ClientLimiter(10, () => now);
    const passed = (client: string, count: number) =>
      Array.from({ length: count }, () => limiter.refusalOf(client)).filter((refusal) => refusal === null)
        .length;
    expect(passed('a', 100)).toBe(40);
    expect(limiter.refusalOf('a')).toMatchObject({ statusCode: 429, retryAfterSeconds: 1 });
    expect(passed('b', 100)).toBe(40);
    now = 1000;
    expect(passed('a', 100)).toBe(10);
    now = 3_600_000;
    expect(passed('a', 100)).toBe(40);
  });

  test('says how long to wait', () => {
    let now = 0;
    const limiter = new ClientLimiter(1, () => now);
    for (let index = 0; index < 40; index += 1) limiter.refusalOf('a');
    expect(limiter.refusalOf('a')?.retryAfterSeconds).toBe(1);
    now = 999;
    expect(limiter.refusalOf('a')).not.toBeNull();
    now = 1000;
    expect(limiter.refusalOf('a')).toBeNull();
  });

  test('remembers a bounded number of clients', () => {
    const limiter = new ClientLimiter(10, () => 0);
    for (let index = 0; index < 50_000; index += 1) limiter.refusalOf(String(index));
    expect(limiter.clients).toBe(20_000);
  });
});

describe('clientOf', () => {
  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['1:2:3:4:5:6::', '1:2:3:4'],
    ['64:ff9b::10.1.2.3', '64:ff9b:0:0'],
    ['not an address', 'not an address'],
  ])('%s is %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});

describe('clientAddresses', () => {
  const forwarded = '6.6.6.6, 10.0.0.9, 10.0.0.2';
  test.each<[TrustedProxies, string | undefined, string]>([
    [false, forwarded, '10.0.0.1'],
    [1, forwarded, '10.0.0.2'],
    [2, forwarded, '10.0.0.9'],
    [9, forwarded, '6.6.6.6'],
    [true, forwarded, '6.6.6.6'],
    [['10.0.0.0/8'], forwarded, '6.6.6.6'],
    [['10.0.0.1', '10.0.0.2'], forwarded, '10.0.0.9'],
    [['192.168.0.0/16'], forwarded, '10.0.0.1'],
    [1, undefined, '10.0.0.1'],
    [1, '', '10.0.0.1'],
  ])('with TRUST_PROXY %j and %j it is %s', (trusted, header, client) => {
    const request = { headers: { 'x-forwarded-for': header }, socket: { remoteAddress: '10.0.0.1' } };
    expect(clientAddresses(trusted)(request as never)).toBe(client);
  });

  test('a proxy that came over IPv6 with an IPv4 address is known', () => {
    const request = {
      headers: { 'x-forwarded-for': '6.6.6.6' },
      socket: { remoteAddress: '::ffff:10.0.0.1' },
    };
    expect(clientAddresses(['10.0.0.0/8'])(request as never)).toBe('6.6.6.6');
  });
});
