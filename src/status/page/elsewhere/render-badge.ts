import { COLOUR_TOKENS } from '../../../pages/colour-tokens.ts';
import { html, printHtml } from '../../../pages/html.ts';
import type { Mark } from '../status-marks.ts';
import { textWidth } from './text-width.ts';

/** A state in two words, for pages of others. */
interface Badge {
  /** What it is about. */
  readonly label: string;
  readonly text: string;
  readonly mark: Mark;
}

const HEIGHT = 20;
const SIZE = 11;
const PADDING = 6;
/** White on it has a contrast of 10. */
const LABEL_COLOUR = '#3d444d';
const LONGEST = 60;

/** A flat badge as SVG; its title says the same to those who cannot see it. */
export function renderBadge({ label: full, mark, text }: Badge): string {
  const characters = [...full];
  const label = characters.length <= LONGEST ? full : `${characters.slice(0, LONGEST - 1).join('')}…`;
  const [labelWidth, width] = [textWidth(label, SIZE), textWidth(text, SIZE)];
  const left = labelWidth + 2 * PADDING;
  const whole = left + width + 2 * PADDING;
  const words = (x: number, length: number, shown: string) =>
    html`<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${shown}</text>`;
  return printHtml(html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-labelledby="t"><title id="t">${full}: ${text}</title><clipPath id="c"><rect width="${whole}" height="${HEIGHT}" rx="3"/></clipPath><g clip-path="url(#c)"><rect width="${left}" height="${HEIGHT}" fill="${LABEL_COLOUR}"/><rect x="${left}" width="${whole - left}" height="${HEIGHT}" fill="${COLOUR_TOKENS[mark].light}"/></g><g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="${SIZE}" aria-hidden="true">${words(PADDING, labelWidth, label)}${words(left + PADDING, width, text)}</g></svg>
`);
}
