import { expect, test } from 'vitest';
import { COLOUR_TOKENS } from '../../pages/colour-tokens.ts';
import { contrast } from '../../pages/contrast.ts';
import { readableAccent } from './page-look.ts';

test.each(['#000000', '#ffffff', '#ffff00', '#7b2cbf', '#ff0000', '#808080'])(
  'the accent %s can be read in both themes',
  (colour) => {
    const accent = readableAccent(colour);
    for (const theme of ['light', 'dark'] as const) {
      for (const under of [COLOUR_TOKENS.background, COLOUR_TOKENS.surface])
        expect(contrast(accent[theme], under[theme])).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test('what can be read stays as it is', () => {
  expect(readableAccent('#7b2cbf').light).toBe('#7b2cbf');
  expect(readableAccent('#ffd166').dark).toBe('#ffd166');
});
