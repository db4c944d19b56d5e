import { describe, expect, test } from 'vitest';
import { type ContractMetadata, readCompilationTarget, rebuildInput } from './contract-metadata.ts';

const aMetadata = (settings: object, compilerVersion = '0.8.30'): ContractMetadata => ({
  language: 'Solidity',
  compilerVersion,
  settings: { compilationTarget: { 'a:b.sol': 'A' }, ...settings },
  sources: {},
});

describe('rebuildInput', () => {
  test('turns libraries back into the form of the input', () => {
    const libraries = { 'a:b.sol:L': '0x1', 'a:b.sol:M': '0x2', Old: '0x3' };
    expect(rebuildInput(aMetadata({ libraries }), { 'a.sol': '' })).toEqual({
      language: 'Solidity',
      sources: { 'a.sol': { content: '' } },
      settings: { libraries: { 'a:b.sol': { L: '0x1', M: '0x2' }, '': { Old: '0x3' } } },
    });
  });

  test('sees by the sources that their contents are in the metadata, as solc below 0.5.0 does not say', () => {
    const sources = { 'a.sol': { keccak256: '0x', content: 'contract A {}', urls: [] } };
    const literal = { ...aMetadata({}, '0.4.26'), sources };
    expect(rebuildInput(literal, {}).settings).toEqual({ metadata: { useLiteralContent: true } });
    const none = { ...literal, settings: { metadata: { bytecodeHash: 'none' } } };
    expect(rebuildInput(none, {}).settings).toEqual(none.settings);
  });

  test.each([
    ['0.8.1+commit.df193b15', true],
    ['0.8.2+commit.661d1103', false],
    ['0.8.4+commit.c7e474f2', false],
    ['0.8.5+commit.a4f2e591', true],
  ])('with %s keeps the inliner setting: %s', (version, isKept) => {
    const optimizer = { enabled: true, details: { inliner: true, cse: true } };
    const { settings } = rebuildInput(aMetadata({ optimizer }, version), {});
    const details = isKept ? { inliner: true, cse: true } : { cse: true };
    expect(settings).toEqual({ optimizer: { enabled: true, details } });
  });

  test.each([
    [
      { appendCBOR: false, bytecodeHash: 'ipfs', useLiteralContent: true },
      { appendCBOR: false, useLiteralContent: true },
    ],
    [
      { appendCBOR: true, bytecodeHash: 'none' },
      { appendCBOR: true, bytecodeHash: 'none' },
    ],
    [{ bytecodeHash: 'bzzr1' }, { bytecodeHash: 'bzzr1' }],
  ])('gives the metadata settings %j in the form that solc takes', (printed, accepted) => {
    expect(rebuildInput(aMetadata({ metadata: printed }), {}).settings).toEqual({ metadata: accepted });
  });
});

describe('readCompilationTarget', () => {
  test('needs exactly one contract', () => {
    expect(readCompilationTarget(aMetadata({}))).toEqual({ path: 'a:b.sol', name: 'A' });
    for (const compilationTarget of [{}, { a: 'A', b: 'B' }, { a: 5 }, 'a', []]) {
      expect(readCompilationTarget(aMetadata({ compilationTarget }))).toBeNull();
    }
  });
});
