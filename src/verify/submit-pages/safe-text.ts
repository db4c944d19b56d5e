/** Characters that are not seen or that turn the order of others: of controls only tab and line feed are harmless. */
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}]|(?![\t\n])\p{Cc}/gu;

/**
 * A text from outside as a page can show it: what would change how the rest reads is written out as its code point, and
 * it has an end.
 *
 * @example `a\u202Eb` → `a⟨U+202E⟩b`
 */
export function safeText(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}… (${text.length - most} more characters)` : text;
  return cut.replaceAll('\r\n', '\n').replace(UNSEEN, (found) => {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
