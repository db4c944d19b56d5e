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
export function textWidth(text: string, size: number): number {
  const thousandths = [...text].reduce((sum, character) => {
    const code = character.codePointAt(0) ?? 0;
    return sum + (WIDTHS[code - 32] ?? (code >= SQUARE_FROM ? 1000 : LETTER));
  }, 0);
  return Math.ceil((thousandths * size) / 1000);
}
