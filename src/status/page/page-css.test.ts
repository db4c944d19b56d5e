import { describe, expect, test } from 'vitest';
import { COLOUR_TOKENS, type ColourToken } from '../../pages/colour-tokens.ts';
import { contrast } from '../../pages/contrast.ts';
import { PAGE_CSS } from './page-look.ts';

describe('colours', () => {
  const themes: readonly (keyof ColourToken)[] = ['light', 'dark'];
  const { background, surface, border: _border, line: _line, ...texts } = COLOUR_TOKENS;

  test.each(themes)('every text can be read on background and surface, %s', (theme) => {
    for (const [name, token] of Object.entries(texts)) {
      for (const under of [background, surface]) {
        expect(contrast(token[theme], under[theme]), name).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test.each(themes)('borders of controls can be seen, %s', (theme) => {
    expect(contrast(COLOUR_TOKENS.border[theme], surface[theme])).toBeGreaterThanOrEqual(3);
  });
});

describe('PAGE_CSS', () => {
  test('loads nothing from anywhere', () => {
    expect(PAGE_CSS).not.toMatch(/url\(|@import/);
  });

  test('has every declaration inside the braces of a rule, also for narrow screens and print', () => {
    const lines = PAGE_CSS.split('\n').filter((line) => /[\w-]+:\s.*;/.test(line));
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.filter((line) => !/\{.*\}$/.test(line.trim()))).toEqual([]);
  });

  test('names only properties that it defines', () => {
    const used = new Set([...PAGE_CSS.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
    expect([...used].filter((name) => !Object.hasOwn(COLOUR_TOKENS, name ?? ''))).toEqual([]);
  });
});
