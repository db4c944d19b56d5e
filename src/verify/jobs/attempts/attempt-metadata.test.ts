import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import { aCompilation } from '../../../../test/kit/verify/a-verification.ts';
import { toHex } from '../../../values/hex.ts';
import type { Compiler } from '../../compile/compiler.ts';
import { findFiles } from '../../metadata/find-files.ts';
import type { AttemptContext } from './attempt-compilation.ts';
import { attemptMetadata } from './attempt-submission.ts';

const AUXDATA = `a164697066735822${'aa'.repeat(34)}002a`;
/** Of `bytecodeHash: none`. */
const NO_HASH = 'a164736f6c634300081e000a';
const hashOf = (text: string) => toHex(keccak_256(Buffer.from(text)));

/** Gives the code on chain only for an input of exactly these paths, as a compiler with the extra-file bug does. */
function aContext(paths: readonly string[], auxdata = AUXDATA) {
  const inputs: string[][] = [];
  const compiler: Compiler = {
    async compile({ input }) {
      const given = Object.keys(input.sources).sort();
      inputs.push(given);
      const object = `${given.join() === paths.join() ? '6001' : '6002'}${auxdata}`;
      const base = aCompilation({});
      const compilation = {
        ...base,
        input,
        creation: { ...base.creation, object },
        runtime: { ...base.runtime, object },
      };
      return { kind: 'compiled', compilation, milliseconds: 1 };
    },
  };
  const context: AttemptContext = {
    compilers: { Solidity: compiler, Yul: compiler, Vyper: compiler, Fe: compiler },
    search: { findOriginal: async () => null, findFiles: async (search) => findFiles(search) },
    gateway: null,
    candidates: {
      find: async () => [],
      read: () => Promise.reject(new Error('none')),
    },
    onchain: {
      address: '0x',
      runtime: Uint8Array.from(Buffer.from(`6001${auxdata}`, 'hex')),
      creation: async () => null,
    },
    budget: { totalMs: 1000, remainingMs: () => 1000, spend: () => {} },
    progress: { signal: new AbortController().signal, enter: () => {}, warn: () => {} },
  };
  return { context, inputs };
}

const aSubmission = (files: Readonly<Record<string, string>>, isOptimised = true) => ({
  kind: 'metadata' as const,
  metadata: {
    language: 'Solidity' as const,
    compilerVersion: '0.6.12+commit.27d51765',
    settings: { compilationTarget: { 'a.sol': 'A' }, optimizer: { enabled: isOptimised } },
    sources: { 'a.sol': { keccak256: hashOf('a'), urls: [] } },
  },
  files,
  creationTransactionHash: null,
});

describe('attemptMetadata', () => {
  test.each([
    [true, AUXDATA],
    [false, AUXDATA],
    [true, NO_HASH],
    // As by way of the IR below 0.8.6, in whose code stand ids that files shift.
    [false, ''],
  ])(
    'takes all files when unrelated ones change the code, optimised: %s, with metadata %s',
    async (is, auxdata) => {
      const { context, inputs } = aContext(['a.sol', 'unrelated.sol'], auxdata);
      const attempt = await attemptMetadata(context, aSubmission({ 'a.sol': 'a', 'unrelated.sol': 'b' }, is));
      expect(attempt).toMatchObject({ kind: 'compared', refusal: null });
      expect(inputs[0]).toEqual(['a.sol']);
      expect(inputs.at(-1)).toEqual(['a.sol', 'unrelated.sol']);
    },
  );

  test.each([
    ['as it is', 'a'],
    ['with other line ends', 'a\r\n'],
  ])('a file that the metadata name %s is not tried under its own name too', async (_, copy) => {
    const { context } = aContext(['a.sol', 'unrelated.sol']);
    const files = { 'a.sol': 'not it', 'copy.sol': copy, 'unrelated.sol': 'b' };
    const attempt = await attemptMetadata(context, aSubmission(files));
    expect(attempt).toMatchObject({
      kind: 'compared',
      refusal: null,
      compilation: { input: { sources: { 'a.sol': { content: 'a' } } } },
    });
  });

  test('keeps the first refusal when all files do not help either', async () => {
    const { context } = aContext(['never']);
    const attempt = await attemptMetadata(context, aSubmission({ 'a.sol': 'a', 'b.sol': 'b' }));
    expect(attempt).toMatchObject({ kind: 'compared', refusal: { code: 'extra_file_input_bug' } });
  });
});
