import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

test.each([
  ['', ''],
  [
    '**Fixed**: `a < b` &amp; more,\nnext line\n\nNext paragraph',
    'Fixed: a < b & more,\nnext line\n\nNext paragraph',
  ],
  [
    'Parts:\n- one\n- two\n  1. a\n  2. b\n- three\n\nEnd',
    'Parts:\n- one\n- two\n  1. a\n  2. b\n- three\n\nEnd',
  ],
  ['[Details](https://x.org/?a=1&b=2) or https://y.org', 'Details (https://x.org/?a=1&b=2) or https://y.org'],
  ['<script>x</script><p>a</p><br/>', '<script>x</script>\n\na'],
])('plainText of %j is readable without mark-up', (body, text) => {
  expect(plainText(body)).toBe(text);
});
