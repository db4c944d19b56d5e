import { expect, test } from 'vitest';
import { readDirectHeaders } from './direct-headers.ts';

test('reads what a direct answer depends on, in any letter case, and passes over the rest', () => {
  const raw = [
    'Host',
    'a',
    'ACCEPT-encoding',
    'gzip',
    'User-Agent',
    'x',
    'If-None-Match',
    '"1"',
    'X-Request-Id',
    'me',
  ];
  expect(readDirectHeaders(raw)).toEqual({
    'accept-encoding': 'gzip',
    'if-none-match': '"1"',
    traceparent: undefined,
    'x-request-id': 'me',
  });
  expect(readDirectHeaders(['TraceParent', '00-1'])?.traceparent).toBe('00-1');
});

test.each([
  ['a body', ['Content-Length', '2']],
  ['a body of unknown length', ['Transfer-Encoding', 'chunked']],
  ['a header twice', ['If-None-Match', '"1"', 'if-none-match', '"2"']],
])('leaves a request with %s to the router', (_what, raw) => {
  expect(readDirectHeaders(raw)).toBeNull();
});
