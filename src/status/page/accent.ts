import { COLOUR_TOKENS, type ColourToken } from '../../pages/colour-tokens.ts';
import { contrast } from '../../pages/contrast.ts';

/** Links are texts. @see WCAG 2.2, 1.4.3 */
const LEAST = 4.5;
const STEPS = 100;

/**
 * A colour of an operator's choice for links and focus, as it can be read in each theme: mixed with black on a light
 * screen, with white on a dark one, by as much as is needed and no more.
 *
 * @param colour `#rrggbb`.
 */
export function readableAccent(colour: string): ColourToken {
  return { light: adjusted(colour, 'light', '#000000'), dark: adjusted(colour, 'dark', '#ffffff') };
}

function adjusted(colour: string, theme: keyof ColourToken, towards: string): string {
  const unders = [COLOUR_TOKENS.background[theme], COLOUR_TOKENS.surface[theme]];
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(colour, towards, step / STEPS);
    if (unders.every((under) => contrast(mixed, under) >= LEAST)) return mixed;
  }
  return towards;
}

function mix(one: string, other: string, share: number): string {
  const channel = (start: number) => {
    const [from, to] = [one, other].map((each) => Number.parseInt(each.slice(start, start + 2), 16));
    const value = Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * share);
    return value.toString(16).padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
