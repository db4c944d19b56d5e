import { expect, test } from 'vitest';
import { keepCodes, MAX_KEPT_CODE, NO_BYTECODES } from './verification-result.ts';

test('codes of the usual size are kept whole, of longer ones the start and a sentence', () => {
  const usual = { ...NO_BYTECODES, onchainRuntime: new Uint8Array(MAX_KEPT_CODE) };
  expect(keepCodes(usual)).toEqual({ bytecodes: usual, notes: [] });
  const memory = Buffer.alloc(MAX_KEPT_CODE + 1, 7);
  const { bytecodes, notes } = keepCodes({ ...usual, recompiledRuntime: memory, recompiledCreation: memory });
  expect(bytecodes.recompiledRuntime).toHaveLength(MAX_KEPT_CODE);
  expect(notes).toEqual([
    'The recompiled creation code has 65537 bytes; this record keeps the first 65536.',
    'The recompiled runtime code has 65537 bytes; this record keeps the first 65536.',
  ]);
});
