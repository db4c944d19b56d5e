import { describe, expect, test } from 'vitest';
import { COLOUR_TOKENS, type ColourToken } from '../../pages/colour-tokens.ts';
import { PAGE_CSS } from './page-css.ts';

/** Relative luminance, WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

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

  test('names only properties that it defines', () => {
    const used = new Set([...PAGE_CSS.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name));
    expect([...used].filter((name) => !Object.hasOwn(COLOUR_TOKENS, name ?? ''))).toEqual([]);
  });
});
