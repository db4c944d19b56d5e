import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readForm } from './read-form.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const WEB_FORM = 'application/x-www-form-urlencoded';
const formOf = (fields: number) =>
  Buffer.from(Array.from({ length: fields }, (_, index) => `f${index}=${index}`).join('&'));

test('a web form has as many fields as any contract needs, and no more', () => {
  expect(readForm(formOf(10_000), WEB_FORM).fields.size).toBe(10_000);
  expect(() => readForm(formOf(10_001), WEB_FORM)).toThrow(
    'request/body must NOT have more than 10000 fields',
  );
});

test('what is kept of web forms holds nothing else of them', () => {
  const read = (index: number) => {
    const body = Buffer.from(
      `contract-address=0x${String(index).padStart(40, '0')}&filler=${'a'.repeat(60_000)}`,
    );
    return [...readForm(body, WEB_FORM).fields].slice(0, 1);
  };
  const heapBytes = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  const kept = Array.from({ length: 500 }, (_, index) => read(index));
  expect(heapBytes() - before).toBeLessThan(3_000_000);
  expect(kept.at(-1)).toEqual([['contract-address', `0x${'499'.padStart(40, '0')}`]]);
});
