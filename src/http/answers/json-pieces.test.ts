import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { isLargeJson, JsonText, printInPieces, TextOfJson } from './json-pieces.ts';

const printed = (value: unknown, size?: number) => [...printInPieces(value, size)].join('');

describe('printInPieces', () => {
  test('prints every value as JSON.stringify does, whatever the size of a piece', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const any = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
    fc.assert(
      fc.property(any, text, fc.integer({ min: 1, max: 30 }), (value, name, size) => {
        const whole = { [name]: value, left: undefined, list: [undefined, value], text: name };
        expect(printed(whole, size)).toBe(JSON.stringify(whole));
      }),
    );
  });

  test('prints a text of JSON as the text itself is printed', () => {
    const inner = { content: 'a "quoted" text 😀\n'.repeat(20), broken: '\ud800' };
    const whole = { result: [{ SourceCode: new TextOfJson(inner, { before: '{', after: '}' }) }] };
    const expected = JSON.stringify({ result: [{ SourceCode: `{${JSON.stringify(inner)}}` }] });
    expect(printed(whole, 7)).toBe(expected);
    expect(JSON.stringify(whole)).toBe(expected);
  });

  test('prints JSON that is stored as it is, in pieces where it is long', () => {
    const inner = JSON.stringify({ sources: { a: 'x😀'.repeat(10) }, list: [1, null] });
    const whole = { before: 1, metadata: new JsonText(inner) };
    expect(printed(whole, 7)).toBe(`{"before":1,"metadata":${inner}}`);
    expect(JSON.stringify(whole)).toBe(`{"before":1,"metadata":${inner}}`);
    expect(isLargeJson(new JsonText(JSON.stringify('x'.repeat(300_000))))).toBe(true);
  });

  test('makes pieces of a bounded size of a long text and of a long list', () => {
    const value = { text: '"\n'.repeat(100_000), list: Array.from({ length: 50_000 }, (_, index) => index) };
    const sizes = [...printInPieces(value, 1000)].map(({ length }) => length);
    // An escaped character takes up to six.
    expect(Math.max(...sizes)).toBeLessThan(7000);
    expect(sizes.length).toBeGreaterThan(400);
  });
});

test('isLargeJson tells a record with large sources from others', () => {
  expect(isLargeJson({ sources: { a: { content: 'x'.repeat(1000) } } })).toBe(false);
  expect(isLargeJson({ sources: { a: { content: 'x'.repeat(300_000) } } })).toBe(true);
  expect(isLargeJson(Array.from({ length: 100_000 }, () => 1))).toBe(true);
});
