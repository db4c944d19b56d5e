import { describe, expect, test } from 'vitest';
import { sourceFiles, sourceText } from './sources.ts';

/** Numbers that stand in one place each. */
const WORDS = [
  { word: 'MAX_INT64', copy: /2n \*\* 63n|9_?223_?372_?036_?854_?775_?80[78]n/, home: 'values/int64.ts' },
  {
    word: 'a system file',
    copy: /\b(10[12]|11[123]|12[123])n\b/,
    home: 'mirror/vocabulary/system-files.ts',
  },
  {
    word: 'what succeeds',
    copy: /\b22, 104, 220\b|\bSUCCESS\w*\b[^=\n]*= (22|new Set)/,
    home: 'mirror/vocabulary/response-codes.ts',
  },
];

describe('the vocabulary', () => {
  test.each(WORDS)('says $word once', ({ copy, home }) => {
    // Comments and builders of tests may name a number.
    const found = sourceFiles.filter((file) =>
      copy.test(sourceText(file).replaceAll(/\/\*\*.*?\*\/|\/\/.*$/gms, '')),
    );
    expect(found).toEqual([home]);
  });
});
