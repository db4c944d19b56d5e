import { describe, expect, test } from 'vitest';
import { acceptsGzip, acceptsType, namesType } from './accept.ts';

describe('acceptsGzip', () => {
  test.each([
    'gzip',
    'GZIP',
    'gzip, deflate, br',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    'deflate , gzip ; q=0.001',
    '*',
    'br, *;q=0.5',
    'identity;q=0, gzip;q=1.000',
  ])('%s takes it', (header) => {
    expect(acceptsGzip(header)).toBe(true);
  });

  test.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.000, *', '*;q=0', 'xgzip', ', ;q=1'])(
    '%s does not',
    (header) => {
      expect(acceptsGzip(header)).toBe(false);
    },
  );
});

test.each([
  [undefined, true, false],
  ['', true, false],
  ['*/*', true, false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', true, true],
  ['application/json, Text/HTML ; q=0.5', true, true],
  ['text/html;q=0, */*', false, false],
  ['text/html;q=0.000', false, false],
  ['text/*;q=0.1', true, false],
  ['text/htmlx', false, false],
])('Accept %s takes text/html: %s, names it: %s', (header, isTaken, isNamed) => {
  expect([acceptsType('text/html')(header), namesType(header, 'text/html')]).toEqual([isTaken, isNamed]);
});
