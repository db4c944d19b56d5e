import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import type { CompileRequest } from '../compiler.ts';
import { compilationKey, digestTexts } from './resolve-compiler.ts';

const SOLC = { kind: 'wasm', version: '0.8.30+commit.73712a01', sha256: null } as const;

function aRequest(input: object, change: Partial<CompileRequest> = {}): CompileRequest {
  return {
    input: { language: 'Solidity', sources: {}, ...input },
    version: '0.8.30',
    target: { path: 'a.sol', name: 'A' },
    scope: 'target',
    timeoutMs: 1,
    signal: new AbortController().signal,
    ...change,
  };
}
const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());

describe('compilationKey', () => {
  const sources = { 'a.sol': { content: 'a' }, 'b.sol': { content: 'b' } };

  test('does not depend on the order of members, time limit and signal', () => {
    const key = compilationKey(aRequest({ sources }), SOLC);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(compilationKey(aRequest({ sources: reversed(sources) }, { timeoutMs: 9 }), SOLC)).toBe(key);
  });

  test('depends on every character of sources that were hashed before', async () => {
    const key = async (content: string) => {
      const { input } = aRequest({ sources: { 'a.sol': { content } } });
      return compilationKey(aRequest(input), SOLC, await digestTexts(input));
    };
    const long = 'x'.repeat(1_200_000);
    const keys = await Promise.all(
      [`${long}a`, `${long}b`, `a${long}`, `${long}\ud800`, `${long}\ud801`].map(key),
    );
    expect(new Set(keys).size).toBe(5);
    expect(await key(`${long}a`)).toBe(keys[0]);
  });

  test('depends on the order for compilers that do not sort', () => {
    const compiler = { kind: 'native', version: '0.4.0+commit.e9db8d9f', sha256: '00' } as const;
    const key = (order: object) => compilationKey(aRequest({ language: 'Vyper', sources: order }), compiler);
    expect(key(sources)).not.toBe(key(reversed(sources)));
  });

  test('is none for compilers that do not repeat themselves', () => {
    const request = aRequest({ language: 'Vyper', sources });
    const vyper = (version: string) => ({ kind: 'native', version, sha256: '00' }) as const;
    expect(compilationKey(request, vyper('0.3.7+commit.6020b8bb'))).toBeNull();
    expect(compilationKey(request, vyper('0.3.8+commit.036f1536'))).not.toBeNull();
  });

  test('depends on kind, version and bytes of the compiler', () => {
    const others = [{ kind: 'native' as const }, { version: '0.8.29+commit.ab55807c' }, { sha256: '00' }];
    const keys = [SOLC, ...others.map((change) => ({ ...SOLC, ...change }))];
    expect(new Set(keys.map((each) => compilationKey(aRequest({ sources }), each)))).toHaveLength(4);
  });

  test.each([
    ['half characters', { x: '\ud800' }, { x: '\ufffd' }],
    ['another half', { x: '\ud800' }, { x: '\ud801' }],
    ['text and its JSON', { x: '\ud800' }, { x: '"\\ud800"' }],
    ['numbers side by side', { x: [1, 23] }, { x: [12, 3] }],
    ['number and text', { x: 1 }, { x: '1' }],
    ['order of a list', { x: [1, 2] }, { x: [2, 1] }],
    ['absent and null', {}, { x: null }],
  ])('tells apart: %s', (_, left, right) => {
    expect(compilationKey(aRequest({ settings: left }), SOLC)).not.toBe(
      compilationKey(aRequest({ settings: right }), SOLC),
    );
  });

  test('is the same for two inputs only when their members are', () => {
    const keyOf = (x: unknown) => compilationKey(aRequest({ settings: { x } }), SOLC);
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (left, right) => {
        expect(keyOf(plain(left))).toBe(keyOf(left));
        expect(keyOf(left) === keyOf(right)).toBe(isDeepStrictEqual(plain(left), plain(right)));
      }),
    );
  });
});
