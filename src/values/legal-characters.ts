/** Controls but tab and line ends, halves of pairs, and two code points that are no characters. */
const ILLEGAL = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/gu;

/** Text without the characters that XML 1.0 forbids or discourages, which people paste by accident. @see XML 1.0 section 2.2 */
export function legalCharacters(text: string): string {
  return text.replace(ILLEGAL, '');
}
