import { expect, test } from 'vitest';
import { fillHeaders } from './request-headers.ts';

const refuse = (name: string, reason: string) => {
  throw new Error(`${name}: ${reason}`);
};

test('variables are filled in, and every name that HTTP allows stays a header', () => {
  const given = JSON.parse(`{"authorization":"Bearer \${KEY}","__proto__":"x","constructor":"\${A}\${A}"}`);
  const headers = fillHeaders(given, { KEY: 'secret', A: '1' }, refuse);
  expect(Object.entries(headers)).toEqual([
    ['authorization', 'Bearer secret'],
    ['__proto__', 'x'],
    ['constructor', '11'],
  ]);
});

test.each([
  [{ a: `\${MISSING}` }, 'a: the environment variable MISSING is not set'],
  [{ 'a b': 'x' }, 'a b: cannot be sent as an HTTP header'],
  [{ a: 'x\ny' }, 'a: cannot be sent as an HTTP header'],
])('%o is refused', (given, reason) => {
  expect(() => fillHeaders(given as never, {}, refuse)).toThrow(reason);
});
