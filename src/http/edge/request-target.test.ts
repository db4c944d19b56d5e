import { describe, expect, test } from 'vitest';
import { canonicalTarget, loggableTarget } from './request-target.ts';

describe('canonicalTarget', () => {
  test.each([
    ['/v1/pages', '/v1/pages'],
    ['/', '/'],
    ['*', '*'],
    ['/%761/pages', '/v1/pages'],
    ['/%56%31/p%61ges', '/V1/pages'],
    ['//v1/pages', '/v1/pages'],
    ['///v2//verify/', '/v2/verify/'],
    ['http://host/v1/pages', '/v1/pages'],
    ['HTTPS://host:443//v1', '/v1'],
    ['/api//v1///transactions', '/api/v1/transactions'],
    ['/V2//verify//0x00', '/V2/verify//0x00'],
    ['/x/..//v1', '/v1'],
    ['/v2/verify//0x00', '/v2/verify//0x00'],
    ['http://host', '/'],
    ['http://host?a=1', '/?a=1'],
    ['/x/../v1/pages', '/v1/pages'],
    ['/x/%2e%2E/v1', '/v1'],
    ['/./v1/./pages/.', '/v1/pages/'],
    ['/../../v1/..', '/'],
    ['/v1/pages#part', '/v1/pages'],
    ['/v1/pages#part?a=1', '/v1/pages'],
    ['/v1/pages?a=1#part', '/v1/pages?a=1'],
    ['/list?a=//x&b=%61/../', '/list?a=//x&b=%61/../'],
    // Reserved characters and broken escapes are not ours to undo.
    ['/v1%2Fpages', '/v1%2Fpages'],
    ['/v2/%E0%A4%A', '/v2/%E0%A4%A'],
    ['/v1;a=b/pages', '/v1;a=b/pages'],
    ['/.well-known/x', '/.well-known/x'],
    ['/a.b/..c', '/a.b/..c'],
  ])('%s is %s', (target, canonical) => {
    expect(canonicalTarget(target)).toBe(canonical);
    expect(canonicalTarget(canonical)).toBe(canonical);
  });
});

test.each([
  ['/v1/pages', '/v1/pages'],
  ['/v1/pages?a=1&b', '/v1/pages?a=1&b'],
  ['/v1/pages?api_key=secret', '/v1/pages?api_key=…'],
  ['/v1/pages?%61pi_key=secret&b=2', '/v1/pages?%61pi_key=…&b=2'],
  ['/v1/pages?a=1&API%5fKEY=secret', '/v1/pages?a=1&API%5fKEY=…'],
  ['/v1/pages?+api_key=secret', '/v1/pages?+api_key=…'],
  ['/v1/pages?%61%70%69_key=a=secret', '/v1/pages?%61%70%69_key=…'],
  ['/v1/pages??api_key=secret', '/v1/pages??api_key=…'],
  ['/v1/pages?x=1;api_key=secret', '/v1/pages?x=…'],
  ['/v1/pages?api_key[]=secret', '/v1/pages?api_key[]=…'],
  ['/v1/pages?api_key%00=secret', '/v1/pages?api_key%00=…'],
  ['/v1/pages?a=b?Api%5Fkey=secret&c=d', '/v1/pages?a=…&c=d'],
])('a log shows %s as %s', (target, shown) => {
  expect(loggableTarget(target)).toBe(shown);
});
