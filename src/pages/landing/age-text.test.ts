import { expect, test } from 'vitest';
import { ageText } from './landing-page.ts';

test.each([
  [-5000, 'just now'],
  [999, 'just now'],
  [1000, '1 second ago'],
  [59_999, '59 seconds ago'],
  [60_000, '1 minute ago'],
  [7_199_999, '1 hour ago'],
  [172_800_000, '2 days ago'],
])('%i ms: %s', (milliseconds, text) => {
  expect(ageText(milliseconds)).toBe(text);
});
