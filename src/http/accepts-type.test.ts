import { expect, test } from 'vitest';
import { acceptsType } from './accepts-type.ts';

test.each([
  [undefined, false],
  ['*/*', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['application/json, Text/HTML ; q=0.5', true],
  ['text/html;q=0, */*', false],
  ['text/html;q=0.000', false],
  ['text/htmlx', false],
])('Accept %s names text/html: %s', (header, expected) => {
  expect(acceptsType(header, 'text/html')).toBe(expected);
});
