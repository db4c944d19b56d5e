import { COLOUR_TOKENS } from '../../../pages/colour-tokens.ts';
import { html, printHtml } from '../../../pages/html.ts';
import type { Mark } from '../status-marks.ts';

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

/** Advance widths of Verdana in thousandths of its size, from the space on. */
const WIDTHS = [
  352, 394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, 636, 636, 636, 636, 636,
  636, 636, 636, 636, 636, 454, 454, 818, 818, 818, 545, 1000, 684, 686, 698, 771, 632, 575, 775, 751, 421,
  455, 693, 557, 843, 748, 787, 603, 787, 695, 684, 616, 732, 684, 989, 685, 615, 685, 454, 454, 454, 818,
  636, 636, 601, 623, 521, 623, 596, 352, 623, 633, 274, 344, 592, 274, 973, 633, 607, 623, 623, 427, 521,
  394, 633, 592, 818, 592, 592, 525, 635, 454, 635, 818,
];
const LETTER = 650;
/** From Hangul on writing is as wide as it is high. */
const SQUARE_FROM = 0x1100;

/** How wide a text is in Verdana of a size, in pixels; in other fonts it is told to take as much. */
function textWidth(text: string, size: number): number {
  const thousandths = [...text].reduce((sum, character) => {
    const code = character.codePointAt(0) ?? 0;
    return sum + (WIDTHS[code - 32] ?? (code >= SQUARE_FROM ? 1000 : LETTER));
  }, 0);
  return Math.ceil((thousandths * size) / 1000);
}
