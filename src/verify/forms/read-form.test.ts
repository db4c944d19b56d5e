import { expect, test } from 'vitest';
import { readForm } from './read-form.ts';

const WEB_FORM = 'application/x-www-form-urlencoded';
const formOf = (fields: number) =>
  Buffer.from(Array.from({ length: fields }, (_, index) => `f${index}=${index}`).join('&'));

test('a web form has as many fields as any contract needs, and no more', () => {
  expect(readForm(formOf(10_000), WEB_FORM).fields.size).toBe(10_000);
  expect(() => readForm(formOf(10_001), WEB_FORM)).toThrow(
    'request/body must NOT have more than 10000 fields',
  );
});
