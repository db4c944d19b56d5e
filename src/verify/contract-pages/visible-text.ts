import { type Html, html } from '../../pages/html.ts';

/**
 * Characters that cannot be seen or change the order of others: formats, controls, separators of lines and paragraphs,
 * halves of pairs, and letters that are drawn as nothing. Tab and line end are none of them.
 *
 * @see "Trojan Source", CVE-2021-42574
 */
const UNSEEN =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\u034f|[\u115f\u1160]|[\u17b4\u17b5]|[\u3164\uffa0\ufffe\uffff]|(?![\t\n])\p{Cc}/gu;

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x200b, 'zero width space'],
  [0x200c, 'zero width non-joiner'],
  [0x200d, 'zero width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'pop directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'pop directional isolate'],
  [0xfeff, 'byte order mark'],
]);

/** Text of strangers with its invisible characters as marks, so that it reads as the compiler reads it. */
export function visibleText(text: string): Html {
  if (countUnseen(text) === 0) return html`${text}`;
  const parts: (Html | string)[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    parts.push(text.slice(from, index), mark(character.codePointAt(0) ?? 0));
    from = index + character.length;
  }
  return html`${[...parts, text.slice(from)]}`;
}

/** How many of its characters cannot be seen. */
export function countUnseen(text: string): number {
  return text.match(UNSEEN)?.length ?? 0;
}

function mark(point: number): Html {
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return html`<span class="unseen-mark" title="${NAMES.get(point) ?? 'invisible character'}">${code}</span>`;
}

/** The same for places that hold text only, such as titles: one sign for each of them. */
export function plainText(text: string): string {
  return text.replace(UNSEEN, '\ufffd');
}
