import { describe, expect, test } from 'vitest';
import { acceptsGzip } from './accepts-gzip.ts';

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

  test.each([
    undefined,
    '',
    'identity',
    'br',
    'gzip;q=0',
    'gzip;q=0.000, *',
    '*;q=0',
    'xgzip',
    'gzip;q=2',
    ', ;q=1',
  ])('%s does not', (header) => {
    expect(acceptsGzip(header)).toBe(false);
  });
});
