import { expect, test } from 'vitest';
import { namesTag } from './conditional.ts';

test.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b"', false],
  ['"b", W/"a"', true],
  ['"b" ,"a"', true],
  ['*', true],
  ['a', false],
  ['w/"a"', false],
])('If-None-Match %s names "a": %s', (header, expected) => {
  expect([namesTag(header, '"a"'), namesTag(header, 'W/"a"')]).toEqual([expected, expected]);
});
