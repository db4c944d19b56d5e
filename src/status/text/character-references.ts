import { legalCharacters } from '../../values/legal-characters.ts';

/** Those that editors of pages write; any other character can be given by number or as itself. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  hellip: '…',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  nbsp: '\u00A0',
  ndash: '–',
  quot: '"',
  rdquo: '”',
  rsquo: '’',
};

const REFERENCE = /&(?:([a-z]{2,6})|#(\d{1,7})|#x([\da-f]{1,6}));/gi;
const LAST_CODE_POINT = 0x10ffff;

/** Puts the characters in place of references such as `&amp;` and `&#39;`; unknown ones stay as they are. */
export function resolveReferences(text: string): string {
  return text.replace(REFERENCE, (reference, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name] ?? reference;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > LAST_CODE_POINT ? reference : legalCharacters(String.fromCodePoint(code));
  });
}
