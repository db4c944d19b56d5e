import { describe, expect, test } from 'vitest';
import type { StandardJson } from '../../standard-json.ts';
import { joinTexts, piecesOf, splitTexts } from './text-pieces.ts';

const inputOf = (...texts: readonly string[]): StandardJson => ({
  language: 'Solidity',
  sources: Object.fromEntries(texts.map((content, index) => [`${index}.sol`, { content }])),
  settings: { optimizer: { enabled: true } },
});

describe('the texts of an input', () => {
  test('of usual size stay where they are', () => {
    const input = inputOf('contract A {}', '');
    expect(splitTexts(input)).toEqual({ input, batches: [] });
    expect(joinTexts(input, [])).toBe(input);
  });

  test('of a large one go in batches of one Mi characters and come back as they were', () => {
    const input = inputOf('', 'a'.repeat(5_000_000), 'ö', '😀'.repeat(2_000_001), 'b'.repeat(10));
    const { input: rest, batches } = splitTexts(input);
    expect(new Set(Object.values(rest.sources).map(({ content }) => content))).toEqual(new Set(['']));
    const sizes = batches.map((batch) => batch.reduce((sum, { text }) => sum + text.length, 0));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_048_576);
    expect(joinTexts(rest, batches.flat())).toEqual(input);
  });

  test('are not cut within a character', () => {
    for (const piece of piecesOf(`a${'😀'.repeat(1_100_000)}`)) {
      expect((piece as unknown as { isWellFormed(): boolean }).isWellFormed()).toBe(true);
    }
  });
});
