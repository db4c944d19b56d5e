import { expect, test } from 'vitest';
import { printableText } from './printable-text.ts';

test('printableText takes what steers a terminal or breaks a line, and leaves letters of all scripts', () => {
  expect(printableText('a\u001b[31mb\r\nc\u202ed\u2028e')).toBe('a [31mb c d e');
  expect(printableText('שלום 日本語 é 🚀')).toBe('שלום 日本語 é 🚀');
});
